import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ManagedFieldsEntry } from "../../src/api/generated/meta-v1.ts";
import { isJsonObject, type Json, type JsonObject } from "../../src/api/json.ts";
import {
  type ResponseSummary,
  startTestApiServer,
  type TestApiServer,
} from "../../src/cluster/apiserver/api-server-fixture.contract.ts";
import { perTier } from "../tier.ts";
import { type FieldPath, pathsIn, uncovered, valueAt } from "./owned-fields.ts";
import { randomScenario } from "./random-scenario.ts";
import type { Step } from "./replay.ts";

const numRuns = perTier({ unit: 25, full: 600 });
const applyType = "application/apply-patch+yaml";
const selector = { matchLabels: { app: "x" } };
const container = (name: string) => ({ name, image: "i:0" });

/** The kinds whose random writes are accepted on top of a complete object. (The type of a Service changes other fields.) */
const complete: Readonly<Record<string, { readonly path: string; readonly spec?: JsonObject }>> = {
  ConfigMap: { path: "/api/v1/namespaces/default/configmaps" },
  Deployment: {
    path: "/apis/apps/v1/namespaces/default/deployments",
    spec: {
      selector,
      template: {
        metadata: { labels: selector.matchLabels },
        spec: { containers: [container("app"), container("side"), container("log")] },
      },
    },
  },
};

interface World extends TestApiServer {
  readonly path: string;
  readonly send: (step: Step) => Promise<ResponseSummary>;
}

/** A server with a complete object of the kind, which another client has created. */
async function worldOf(kind: string): Promise<World> {
  const server = await startTestApiServer();
  const { path = "", spec } = complete[kind] ?? {};
  await server.request(`POST ${path}?fieldManager=creator`, {
    metadata: { name: "x" },
    ...(spec !== undefined && { spec }),
  });
  const send = ({ op, manager, force = false, object }: Step) => {
    const query = `?fieldManager=${manager}${op === "apply" ? `&force=${force}` : ""}`;
    const type = op === "apply" ? applyType : "application/merge-patch+json";
    return server.request(`PATCH ${path}/x${query}`, object, type);
  };
  return { ...server, path: `${path}/x`, send };
}

/** The selector of a Deployment cannot change, and its template has to match it. */
function withFixedSelector(object: JsonObject): JsonObject {
  if (object["kind"] !== "Deployment") return object;
  const { template, ...spec } = object["spec"] as JsonObject;
  const podSpec = isJsonObject(template) ? template["spec"] : undefined;
  return {
    ...object,
    spec: { ...spec, selector, ...(podSpec !== undefined && { template: { spec: podSpec } }) },
  };
}

/** Some writes, then one apply. */
const writesThenApply = randomScenario
  .filter(({ kind }) => kind in complete)
  .map(({ kind, steps }) => {
    const writes = steps.map((step) => ({
      ...step,
      object: withoutEmpty(withFixedSelector(step.object)) as JsonObject,
    }));
    const last = writes.slice(-1).map((step): Step => ({ ...step, op: "apply" }));
    return { kind, before: writes.slice(0, -1), last };
  });

interface Applied extends World {
  readonly step: Step;
  readonly previous: JsonObject;
  readonly answer: ResponseSummary;
  readonly object: JsonObject;
}

/** Checks a property of the last apply of random writes; returns how many of them succeeded. */
async function afterApplies(force: boolean, check: (applied: Applied) => unknown): Promise<number> {
  let succeeded = 0;
  await fc.assert(
    fc.asyncProperty(writesThenApply, async ({ kind, before, last }) => {
      const world = await worldOf(kind);
      for (const step of before) await world.send(step);
      const previous = (await world.request(`GET ${world.path}`)).body;
      for (const each of last) {
        const step = { ...each, force };
        const answer = await world.send(step);
        if (answer.code === 200) succeeded++;
        const object = (await world.request(`GET ${world.path}`)).body;
        await check({ ...world, step, previous, answer, object });
      }
    }),
    { numRuns },
  );
  return succeeded;
}

function entriesOf(object: JsonObject): readonly ManagedFieldsEntry[] {
  return (object["metadata"] as { managedFields?: readonly ManagedFieldsEntry[] }).managedFields ?? [];
}

const fieldsOf = (entry: ManagedFieldsEntry | undefined) => (entry?.fieldsV1 ?? {}) as JsonObject;
const isApplierOf = (step: Step) => (entry: ManagedFieldsEntry) =>
  entry.manager === step.manager && entry.operation === "Apply";

/** A configuration without what no manager owns. */
function owned(configuration: JsonObject): JsonObject {
  const { apiVersion: _version, kind: _kind, metadata, ...rest } = configuration;
  const { name: _name, ...own } = metadata as JsonObject;
  return withoutEmpty({ ...rest, metadata: own }) as JsonObject;
}

/** Objects do not keep all that is empty; what becomes of it is compared with Kubernetes' own code (`recorded.test.ts`). */
function withoutEmpty(value: Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map(withoutEmpty);
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).map(
    ([name, member]) => [name, withoutEmpty(member ?? null)] as const,
  );
  return Object.fromEntries(members.filter(([, member]) => !isEmpty(member)));
}

const isEmpty = (value: Json) =>
  typeof value === "object" && value !== null && Object.keys(value).length === 0;

describe("whatever was written before, an apply", () => {
  test("that is repeated changes nothing", { timeout: 600_000 }, async () => {
    const succeeded = await afterApplies(
      true,
      async ({ answer, step, send, store, request, path, object }) => {
        if (answer.code !== 200) return;
        const revision = store.revision();
        expect((await send(step)).code).toBe(200);
        expect((await send({ ...step, force: false })).code).toBe(200);
        expect(store.revision()).toBe(revision);
        expect((await request(`GET ${path}`)).body).toEqual(object);
      },
    );
    expect(succeeded).toBeGreaterThan(numRuns / 3);
  });

  test("owns exactly what it sent, and the object has it", { timeout: 600_000 }, async () => {
    const succeeded = await afterApplies(true, ({ answer, step, object }) => {
      if (answer.code !== 200) return;
      const fields = fieldsOf(entriesOf(object).find(isApplierOf(step)));
      const sent = owned(step.object);
      expect(pathsIn(fields).filter((each) => valueAt(sent, each) === undefined)).toEqual([]);
      expect(uncovered(sent, fields)).toEqual([]);
      // Objects do not keep every false.
      for (const each of pathsIn(fields))
        if (!isJsonObject(valueAt(sent, each) ?? null))
          expect(valueAt(object, each) ?? false).toEqual(valueAt(sent, each));
    });
    expect(succeeded).toBeGreaterThan(numRuns / 3);
  });

  test("takes what it is forced to take, and leaves the rest", { timeout: 600_000 }, async () => {
    await afterApplies(true, ({ answer, step, previous, object }) => {
      if (answer.code !== 200) return;
      const sent = owned(step.object);
      for (const entry of entriesOf(object).filter((each) => !isApplierOf(step)(each))) {
        // Another manager may share a field only if the apply did not change it.
        const shared = pathsIn(fieldsOf(entry)).filter((each) => valueAt(sent, each) !== undefined);
        expect(shared.filter((each) => !isSame(valueAt(previous, each), valueAt(object, each)))).toEqual([]);
      }
      const dropped = droppedItems(step, previous, object);
      for (const entry of entriesOf(previous).filter((each) => !isApplierOf(step)(each))) {
        // What it did not send is still owned by those who owned it, and as it was.
        const untouched = pathsIn(fieldsOf(entry)).filter(
          (each) => !touches(sent, each) && !dropped.some((item) => isWithin(item, each)),
        );
        expect(untouched.filter((each) => !isSame(valueAt(previous, each), valueAt(object, each)))).toEqual(
          [],
        );
      }
    });
  });

  test(
    "that conflicts changes nothing, and names what it would have changed",
    { timeout: 600_000 },
    async () => {
      let conflicts = 0;
      await afterApplies(false, ({ answer, previous, object }) => {
        if (answer.code !== 409) return;
        conflicts++;
        expect(object).toEqual(previous);
        const { causes = [] } = answer.body["details"] as { causes?: readonly { reason?: string }[] };
        expect(causes.map(({ reason }) => reason)).toContain("FieldManagerConflict");
      });
      expect(conflicts).toBeGreaterThan(numRuns / 10);
    },
  );
});

/** Items that were the applier's alone and that it left out: they go, with the fields that others own in them. */
function droppedItems(step: Step, previous: JsonObject, object: JsonObject): readonly FieldPath[] {
  const appliedBefore = entriesOf(previous).filter(isApplierOf(step));
  const items = appliedBefore
    .flatMap((entry) => pathsIn(fieldsOf(entry)))
    .filter((each) => each.at(-1)?.startsWith("k:"));
  return items.filter((each) => valueAt(object, each) === undefined);
}

const isWithin = (item: FieldPath, path: FieldPath) =>
  item.every((element, index) => element === path[index]);

/**
 * Of what has members of its own, each of them is looked at: the API server fills in some, and does not keep an object
 * that has lost the last one.
 */
const isSame = (one: Json | undefined, other: Json | undefined) =>
  (typeof one === "object" && typeof other === "object") ||
  one === other ||
  (isJsonObject(one ?? null) && other === undefined);

/** Whether an object has something at a path, or instead of what leads to it. */
function touches(object: JsonObject, path: FieldPath): boolean {
  for (let length = path.length; length > 0; length--) {
    const value = valueAt(object, path.slice(0, length));
    if (value !== undefined) return length === path.length || !isJsonObject(value);
  }
  return false;
}
