import type { ConfigMap } from "../api/generated/core-v1.ts";
import type { JsonObject } from "../api/json.ts";
import { configMaps } from "../api/resources.ts";
import {
  mergeSummaries,
  type Observation,
  type ObservationSink,
  type ObservedWorkload,
  readSummaries,
  withObservation,
} from "../decisions/stock/observation.ts";
import type { ObjectName } from "../machinery/client/client.ts";
import type { ControllerSpec } from "../machinery/controller.ts";
import type { SteeringDependencies } from "./dependencies.ts";

/** Observations are written so often, if there are new ones. */
const writtenEveryMs = 60_000;
/** A ConfigMap holds a mebibyte: so many workloads of each copy, and so many copies; older ones are counted together. */
const mostWorkloads = 200;
const mostCopies = 8;
const earlier = "earlier";

/** Sums up what one copy observes, where there is no volume for a file. */
export class ObservationSummaries implements ObservationSink {
  readonly #byWorkload = new Map<string, ObservedWorkload>();
  #hasNews = false;

  add(observation: Observation): void {
    const { workload } = observation;
    const now = withObservation(this.#byWorkload.get(workload), observation);
    this.#byWorkload.delete(workload); // to be inserted last
    this.#byWorkload.set(workload, now);
    const [oldest = ""] = this.#byWorkload.keys();
    if (this.#byWorkload.size > mostWorkloads) this.#byWorkload.delete(oldest);
    this.#hasNews = true;
  }

  /** What an earlier process of the same copy has left. */
  continueFrom(summaries: readonly ObservedWorkload[]): void {
    const merged = mergeSummaries([...this.#byWorkload.values(), ...summaries]);
    this.#byWorkload.clear();
    for (const each of merged.slice(0, mostWorkloads)) this.#byWorkload.set(each.workload, each);
  }

  get hasNews(): boolean {
    return this.#hasNews;
  }

  /** Everything; what comes from now on is news. */
  take(): readonly ObservedWorkload[] {
    this.#hasNews = false;
    return [...this.#byWorkload.values()];
  }

  /** What was taken could not be written. */
  putBack(): void {
    this.#hasNews = true;
  }
}

/** Writes the summaries of a copy to its key of a ConfigMap, which has to be there. */
export function summariesController(
  summaries: ObservationSummaries,
  { at, copy }: { readonly at: ObjectName; readonly copy: string },
  { client }: Pick<SteeringDependencies, "client">,
): ControllerSpec {
  const key = copy.replaceAll(/[^\w.-]/g, "_");
  let hasBegun = false;
  return {
    name: "steering-observations",
    workers: 1,
    watches: [
      {
        synced: () => Promise.resolve(true),
        start(queue) {
          queue.add(key);
          return () => undefined;
        },
      },
    ],
    async reconcile(_, signal) {
      if (hasBegun && !summaries.hasNews) return { requeueAfterMs: writtenEveryMs };
      const { metadata, data = {} } = await client.get(configMaps, at, signal);
      if (!hasBegun) summaries.continueFrom(readSummaries(data[key] ?? "") ?? []);
      hasBegun = true;
      if (!summaries.hasNews) return { requeueAfterMs: writtenEveryMs };
      const body: JsonObject = {
        metadata: { resourceVersion: metadata.resourceVersion },
        data: { ...folded(data, key), [key]: JSON.stringify(summaries.take()) },
      };
      try {
        await client.patch(configMaps, at, { type: "merge", body, signal });
      } catch (error) {
        summaries.putBack();
        throw error;
      }
      return { requeueAfterMs: writtenEveryMs };
    },
  };
}

/** The copies that wrote longest ago are counted together. */
function folded(data: NonNullable<ConfigMap["data"]>, own: string): JsonObject {
  const others = Object.entries(data)
    .filter(([key]) => key !== own && key !== earlier)
    .map(([key, text]) => ({ key, summaries: readSummaries(text) ?? [] }))
    .toSorted((one, other) => (lastOf(one.summaries) < lastOf(other.summaries) ? -1 : 1));
  const old = others.slice(0, Math.max(others.length - mostCopies, 0));
  if (old.length === 0) return {};
  const before = readSummaries(data[earlier] ?? "") ?? [];
  const merged = mergeSummaries([...before, ...old.flatMap(({ summaries }) => summaries)]);
  return {
    ...Object.fromEntries(old.map(({ key }) => [key, null])),
    [earlier]: JSON.stringify(merged.slice(0, mostWorkloads)),
  };
}

const lastOf = (summaries: readonly ObservedWorkload[]): string =>
  summaries.reduce((latest, { last }) => (last > latest ? last : latest), "");
