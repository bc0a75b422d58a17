import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Json, JsonObject } from "../../api/json.ts";
import { type Member, shapeOf } from "../../api/schema/shape.ts";
import { schemaTable } from "../../api/schema/table.ts";
import { downscalePodPickerAnnotation } from "../../api/workload-settings.ts";
import {
  type ClusterObjects,
  type CollectionName,
  collectionNames,
  noObjects,
} from "../../decisions/explain/cluster-objects.ts";
import { oneOf, type Random, randomInt, seededRandom } from "../../machinery/random/random.ts";
import { allowedAnnotations } from "./allowed-annotations.ts";
import { allowedFields } from "./allowed-fields.ts";
import { decisionsOf } from "./decisions-of.cases.ts";
import { lookedAt, randomCluster } from "./random-cluster.cases.ts";
import { readSnapshot } from "./read-snapshot.ts";
import { schemaTypeOf, takeSnapshot, writeSnapshot } from "./snapshot.ts";

const secret = "SECRET";
/** What is generated, and from which numbers. */
interface Generation {
  readonly isAllowed: boolean;
  readonly random: Random;
  /** How many more levels of objects there may be. */
  readonly levels: number;
}

/** An object with any members of its type; every text that is not on the list of a snapshot is a secret. */
function objectOf(type: string, { isAllowed, random, levels }: Generation): JsonObject {
  const entries = (shapeOf(type)?.members ?? [])
    .filter((member) => levels > 0 && (isStructure(member) || random.next() < 0.3))
    .map((member): [string, Json] => {
      const allowed = isAllowed && (allowedFields[type] ?? []).includes(member.name);
      return [member.name, memberOf(member, { isAllowed: allowed, random, levels: levels - 1 })];
    });
  return Object.fromEntries(entries);
}

const isStructure = ({ name }: Member) =>
  ["metadata", "spec", "template", "status", "containers"].includes(name);

function memberOf({ name, form, type }: Member, generation: Generation): Json {
  const { isAllowed, random } = generation;
  const value = () => valueOf(type, generation);
  if (name === "annotations") return annotationsOf(random);
  if (form === "list") return Array.from({ length: 1 + randomInt(random, 2) }, value);
  return form === "map" ? { [isAllowed ? "plain" : secret]: value() } : value();
}

function annotationsOf(random: Random): JsonObject {
  const allowed = oneOf([...allowedAnnotations], random) ?? "";
  const headers = [{ name: "Authorization", value: `Bearer ${secret}` }];
  const picker = { http: { host: "picker", port: 1, path: `/${secret}`, httpHeaders: headers }, secret };
  return {
    "kubectl.kubernetes.io/last-applied-configuration": secret,
    [`acme.example/${secret}`]: secret,
    "sim.trimtab.dev/log": secret,
    [allowed]: "plain",
    [downscalePodPickerAnnotation]: JSON.stringify(picker),
  };
}

function valueOf(type: string, generation: Generation): Json {
  if (schemaTable().types.has(type)) return objectOf(type, generation);
  const { isAllowed } = generation;
  const text = isAllowed ? "plain" : secret;
  const scalars: Readonly<Record<string, Json>> = {
    bool: true,
    int32: 7,
    int64: 7,
    double: 0.5,
    Time: "2026-01-01T00:00:00Z",
    MicroTime: "2026-01-01T00:00:00.000000Z",
    RawExtension: { any: secret },
    FieldsV1: { [secret]: {} },
    JSON: [secret],
    bytes: secret,
    StringList: [text],
  };
  return scalars[type] ?? text;
}

function clusterOf(random: Random): ClusterObjects {
  const objects = collectionNames.map((name: CollectionName) => [
    name,
    [objectOf(schemaTypeOf(name), { isAllowed: true, random, levels: 7 })],
  ]);
  return { ...noObjects, ...Object.fromEntries(objects) } as ClusterObjects;
}

test("whatever the objects have, no text gets into a snapshot that is not on the list", () => {
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      const objects = clusterOf(seededRandom(seed));
      const text = writeSnapshot(takeSnapshot(objects, { now: lookedAt }), "json");
      expect(JSON.stringify(objects)).toContain(secret);
      expect(text).toContain("plain");
      expect(text).not.toContain(secret);
    }),
    { numRuns: 20 },
  );
});

test("the list has everything that decisions read: they are the same for a cluster and its snapshot", () => {
  const kinds = new Set<unknown>();
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      const objects = randomCluster(seededRandom(seed));
      const text = writeSnapshot(takeSnapshot(objects, { now: lookedAt }), "json");
      expect(text).not.toContain(secret);
      const read = readSnapshot(text, "cluster.json");
      expect(read.ok ? [] : read.problems).toEqual([]);
      if (!read.ok) return;
      const wanted = decisionsOf(objects);
      for (const removal of wanted.removals.flat()) kinds.add(removal.rule);
      for (const { outcome } of wanted.placements) kinds.add(typeof outcome);
      expect(decisionsOf(read.snapshot.objects)).toEqual(wanted);
    }),
    { numRuns: 15 },
  );
  // Otherwise the clusters would not be random enough to show anything.
  for (const kind of ["unassigned", "not-ready", "deletion-cost", "ready-time", "number", "string"])
    expect(kinds).toContain(kind);
});

test("a snapshot is read back as it was written, in YAML and in JSON", () => {
  const snapshot = takeSnapshot(randomCluster(seededRandom(7)), { now: lookedAt, namespace: "shop" });
  const [json, yaml] = (["json", "yaml"] as const).map((format) =>
    readSnapshot(writeSnapshot(snapshot, format), "cluster"),
  );
  expect(json?.ok === true && json.snapshot.takenAt).toBe(lookedAt);
  expect(json?.ok === true && json.snapshot.namespace).toBe("shop");
  expect(yaml).toEqual(json);
});
