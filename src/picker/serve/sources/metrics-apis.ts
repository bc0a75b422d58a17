import { isJsonObject, type Json } from "../../../api/json.ts";
import type { StoredObject } from "../../../api/object.ts";
import { parseQuantity } from "../../../api/quantity/quantity.ts";
import type { Resource } from "../../../api/resource.ts";
import { ApiError } from "../../../machinery/client/api-error.ts";
import type { Client } from "../../../machinery/client/client.ts";
import { unlessAborted } from "../../call/unless-aborted.ts";
import type { CustomMetricsSource, ResourceMetricsSource } from "../configuration/score-schemas.ts";
import { podSelectorOf, type WorkloadPods } from "../workload-pods.ts";
import {
  type PodNumber,
  type Reading,
  type ReadSource,
  readingOf,
  type SourceFailure,
  type SourceQuestion,
  unreadable,
} from "./source.ts";

export interface MetricsApiDependencies {
  readonly client: Pick<Client, "list">;
  readonly pods: WorkloadPods;
}

/** What an API of metrics answers: a list whose items are not objects of the API as others are. */
type Item = StoredObject & Readonly<Record<string, Json>>;

/** Reads what Pods use: the sum of their containers, or one of them. */
export function resourceMetricsSource(
  { resource, container }: ResourceMetricsSource,
  dependencies: MetricsApiDependencies,
): ReadSource {
  const podMetrics: Resource<Item> = {
    group: "metrics.k8s.io",
    version: "v1beta1",
    kind: "PodMetrics",
    plural: "pods",
    namespaced: true,
  };
  const numberOf = ({ containers }: Item): PodNumber => {
    const counted = listOf(containers).filter(({ name }) => container === undefined || name === container);
    if (counted.length === 0) return undefined;
    return counted
      .map(({ usage }) => amountIn(isJsonObject(usage) ? usage[resource] : undefined))
      .reduce(add);
  };
  const read: ReadItem = (item) => [item.metadata.name, numberOf(item)];
  return (question) => readItems(question, { ...dependencies, resource: podMetrics, read });
}

/** Reads a metric of Pods from an adapter. */
export function customMetricsSource(
  { metric, version = "v1beta1" }: CustomMetricsSource,
  dependencies: MetricsApiDependencies,
): ReadSource {
  const values: Resource<Item> = {
    group: "custom.metrics.k8s.io",
    version,
    kind: "MetricValue",
    plural: `pods/*/${metric}`, // the schema has checked the name, which is a part of the path
    namespaced: true,
  };
  const read: ReadItem = ({ describedObject, value }) => {
    const name = isJsonObject(describedObject) ? describedObject["name"] : undefined;
    return [typeof name === "string" ? name : "", amountIn(value)];
  };
  return (question) => readItems(question, { ...dependencies, resource: values, read });
}

type ReadItem = (item: Item) => readonly [pod: string, number: PodNumber];

interface ItemQuery extends MetricsApiDependencies {
  readonly resource: Resource<Item>;
  readonly read: ReadItem;
}

async function readItems(
  question: SourceQuestion,
  { resource, read, client, pods }: ItemQuery,
): Promise<Reading> {
  const { namespace, signal } = question;
  const labelSelector = podSelectorOf(pods.workload(question));
  try {
    const listing = client.list(resource, { namespace, labelSelector }, signal);
    const list = await unlessAborted(listing, signal);
    if (list === undefined) return unreadable(question, { class: "Timeout" });
    const wanted = new Set(question.pods);
    return readingOf(list.items.map(read).filter(([pod]) => wanted.has(pod)));
  } catch (error) {
    // Converts the errors of the API server, and of the connection to it.
    return unreadable(question, signal.aborted ? { class: "Timeout" } : failureOf(error));
  }
}

function failureOf(error: unknown): SourceFailure {
  return error instanceof ApiError
    ? { class: "Refused", detail: `HTTP ${error.code}` }
    : { class: "ConnectionFailed" };
}

function listOf(value: Json | undefined): readonly Readonly<Record<string, Json | undefined>>[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

const nanos = 1e9;

function amountIn(value: Json | undefined): PodNumber {
  const isText = typeof value === "string" || typeof value === "number";
  const quantity = isText ? parseQuantity(value) : undefined;
  return quantity === undefined ? { class: "NotANumber" } : Number(quantity.nanos) / nanos;
}

function add(one: PodNumber, other: PodNumber): PodNumber {
  if (typeof one !== "number") return one;
  return typeof other === "number" ? one + other : other;
}
