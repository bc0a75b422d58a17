import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Json, JsonObject } from "../../src/api/json.ts";
import { apiVersionOf } from "../../src/api/resource.ts";
import { bodyType } from "../../src/api/schema/table.ts";
import {
  podOf,
  type ResponseSummary,
  startTestApiServer,
} from "../../src/cluster/apiserver/api-server-fixture.contract.ts";
import type { ServedResource } from "../../src/cluster/apiserver/served-resource.ts";
import {
  patching,
  type ScriptedWebhooks,
  startScriptedWebhooks,
} from "../../src/cluster/apiserver/webhooks/scripted-webhooks.contract.ts";
import { seededRandom } from "../../src/machinery/random/random.ts";
import { perTier } from "../tier.ts";
import { randomObject } from "./random-object.ts";

const { server } = await startTestApiServer();
const names = ["a", "b", "default"];

/** A path that the API server serves, and the type of the bodies that belong there. */
interface Door {
  readonly resource: ServedResource;
  readonly path: string;
  readonly methods: readonly string[];
  readonly type: string;
  /** Of the bodies of an apply. */
  readonly head: JsonObject;
}

const doors = server.kinds.all.flatMap(doorsOf);

function doorsOf(resource: ServedResource): readonly Door[] {
  const { group, version, plural, namespaced, schema, kind } = resource;
  const root = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
  const collection = namespaced ? `${root}/namespaces/default/${plural}` : `${root}/${plural}`;
  const own = { resource, type: schema.type, head: { apiVersion: apiVersionOf(resource), kind } };
  const ofSubresource = names.flatMap((name) =>
    resource.subresources.map((subresource): Door => {
      const slash = subresource.kind.lastIndexOf("/");
      const apiVersion = subresource.kind.slice(0, slash);
      const subKind = subresource.kind.slice(slash + 1);
      return {
        resource,
        path: `${collection}/${name}/${subresource.name}`,
        methods: ["GET", "POST", "PUT", "PATCH", "PATCH", "DELETE"],
        type: bodyType(apiVersion, subKind) ?? schema.type,
        head: { apiVersion, kind: subKind },
      };
    }),
  );
  return [
    { ...own, path: collection, methods: ["GET", "POST", "POST", "POST", "DELETE"] },
    ...names.map((name) => ({
      ...own,
      path: `${collection}/${name}`,
      methods: ["GET", "PUT", "PATCH", "PATCH", "DELETE"],
    })),
    ...ofSubresource,
  ];
}

const odd = fc.constantFrom("", "a", "0", "-1", "1", "true", "All", "Strict", "9".repeat(30), "a=b", "x:y");
const parameters =
  "container continue dryRun fieldManager fieldSelector fieldValidation force gracePeriodSeconds labelSelector limit " +
  "orphanDependents path previous propagationPolicy resourceVersion resourceVersionMatch sinceSeconds sinceTime " +
  "tailLines timeoutSeconds timestamps";
const query = fc.dictionary(fc.constantFrom(...parameters.split(" ")), odd, { maxKeys: 2 });
const patchTypes = ["apply-patch+yaml", "json-patch+json", "merge-patch+json", "strategic-merge-patch+json"];
const bodyTypes = ["json", "yaml", "vnd.kubernetes.protobuf", "cbor"];
const contentType = fc.oneof(
  fc.constantFrom(...patchTypes, ...bodyTypes).map((type) => `application/${type}`),
  fc.constant(""),
);
const operations = fc.array(
  fc.record({
    op: fc.constantFrom("add", "replace", "remove", "test", "copy", "move"),
    path: fc.constantFrom("", "/metadata/labels", "/spec", "/spec/replicas", "/data/a", "/status", "/-"),
    from: fc.constantFrom("/metadata", "/spec", "/data"),
    value: fc.jsonValue({ maxDepth: 2 }),
  }),
  { maxLength: 3 },
);

/** Changes that most objects accept. */
const small = fc.constantFrom<JsonObject>(
  { metadata: { labels: { app: "db" } } },
  { metadata: { finalizers: ["example.com/slow"] } },
  { metadata: { finalizers: null } },
  { spec: { replicas: 2 } },
  { spec: { finalizers: [] } },
  { data: { a: "b" } },
  { status: { replicas: 1 } },
  { target: { name: "node-1" } },
);

/** What is there before. */
const initial = names.flatMap((name): readonly (readonly [path: string, object: JsonObject])[] => {
  const labels = { app: name };
  const template = podOf(name);
  const spec = { selector: { matchLabels: labels }, template: { ...template, metadata: { labels } } };
  const core = "/api/v1/namespaces/default";
  const apps = "/apis/apps/v1/namespaces/default";
  return [
    [`${core}/pods`, podOf(name)],
    [`${core}/configmaps`, { metadata: { name } }],
    [`${core}/services`, { metadata: { name }, spec: { ports: [{ port: 80 }] } }],
    [`${core}/replicationcontrollers`, { metadata: { name }, spec: { ...spec, selector: labels } }],
    [`${apps}/deployments`, { metadata: { name }, spec }],
    [`${apps}/replicasets`, { metadata: { name }, spec }],
    ["/api/v1/namespaces", { metadata: { name } }],
    ["/api/v1/nodes", { metadata: { name } }],
  ];
});

interface RandomRequest {
  readonly what: string;
  readonly body: JsonObject | string | Uint8Array | readonly JsonObject[];
  readonly type: string;
}

/** Most requests fit their door: a body of its type, and a content type for its method. */
const request: fc.Arbitrary<RandomRequest> = fc
  .record({
    door: fc.constantFrom(...doors),
    pick: fc.nat(),
    search: fc.oneof({ weight: 2, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: query }),
    isOdd: fc.constantFrom(false, false, false, true),
    contentType,
    patchType: fc.constantFrom(...patchTypes),
    seed: fc.string(),
    wrong: fc.constantFrom(0, 0, 0, 0.05),
    operations,
    small: fc.oneof(fc.constant(undefined), small),
    bytes: fc.uint8Array({ maxLength: 40 }),
    json: fc.jsonValue({ maxDepth: 3 }),
  })
  .map(({ door, pick, search, isOdd, patchType, seed, wrong, ...drawn }) => {
    const method = door.methods[pick % door.methods.length] ?? "GET";
    const type = method === "PATCH" ? `application/${patchType}` : "application/json";
    const manager = type.includes("apply") ? { fieldManager: "me" } : {};
    const what = `${method} ${door.path}?${new URLSearchParams({ ...manager, ...search }).toString()}`;
    const change = method === "PATCH" ? drawn.small : undefined;
    const fitting = {
      ...(change ?? named(randomObject(door.type, { random: seededRandom(seed), wrong }))),
      ...door.head,
    };
    if (isOdd) {
      const body = pick % 2 === 0 ? drawn.bytes : JSON.stringify(drawn.json);
      return { what, body, type: drawn.contentType };
    }
    const body = type.includes("json-patch")
      ? (drawn.operations as unknown as readonly JsonObject[])
      : fitting;
    return { what, body, type };
  });

/** Mostly with a name that other requests meet. */
function named(object: JsonObject): JsonObject {
  return { ...object, metadata: { name: "a", labels: { app: "web" } } };
}

/** What webhooks answer: yes, no, a patch, or something else. */
const answer: fc.Arbitrary<JsonObject | string> = fc.oneof(
  { weight: 6, arbitrary: fc.constant<JsonObject>({}) },
  { weight: 1, arbitrary: fc.constant<JsonObject>({ allowed: false }) },
  { weight: 2, arbitrary: operations.map((each) => patching(...(each as unknown as readonly JsonObject[]))) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.stringify(value)) },
);

test(
  "whatever is sent to whichever door, the answer is a Status or an object, and the state stays valid",
  { timeout: 600_000 },
  async () => {
    let served = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(request, answer), { minLength: 20, maxLength: 50 }),
        async (requests) => {
          let next: JsonObject | string = {};
          const api = await startScriptedWebhooks({ any: () => next });
          for (const [path, object] of initial) await api.request(`POST ${path}`, object);
          await api.register("mutating", "any");
          await api.register("validating", "any");
          for (const [each, response] of requests) {
            next = response;
            const result = await api.request(each.what, each.body, each.type);
            if (result.code < 300) served++;
            expect(problemWith(result), `${each.what} ${JSON.stringify(each.body)}`).toBeUndefined();
          }
          next = {};
          expect(await unwritable(api)).toEqual([]);
        },
      ),
      { numRuns: perTier({ unit: 2, full: 300 }) },
    );
    expect(served).toBeGreaterThan(perTier({ unit: 1, full: 800 }));
    expect(Object.keys(Object.prototype)).toEqual([]);
  },
);

test("whatever a dry run would do, it writes nothing", { timeout: 600_000 }, async () => {
  let accepted = 0;
  const api = await startTestApiServer();
  for (const [path, object] of initial) await api.request(`POST ${path}`, object);
  const revision = api.store.revision();
  await fc.assert(
    fc.asyncProperty(request, async ({ what, body, type }) => {
      if (what.startsWith("GET")) return;
      const { code } = await api.request(withDryRun(what), body, type);
      if (code < 300) accepted++;
      expect(api.store.revision()).toBe(revision);
    }),
    { numRuns: perTier({ unit: 200, full: 10_000 }) },
  );
  expect(accepted).toBeGreaterThan(perTier({ unit: 1, full: 200 }));
});

function withDryRun(what: string): string {
  const url = new URL(what.slice(what.indexOf(" ") + 1), "https://localhost");
  url.searchParams.set("dryRun", "All");
  return `${what.slice(0, what.indexOf(" "))} ${url.pathname}${url.search}`;
}

/** What upstream answers with 500 as well: a configuration without a type, a Scale that nobody manages, a webhook that fails. */
const known500 =
  /^(failed to create typed patch object |failed to create manager for existing fields: |Internal error occurred: )/;

function problemWith({ code, body }: ResponseSummary): string | undefined {
  if (code < 300) return undefined;
  const { kind, message } = body as { kind?: Json; message?: Json };
  if (kind !== "Status" || typeof message !== "string" || message === "")
    return `no Status: ${JSON.stringify(body)}`;
  const isExpected = code < 500 || code === 501 || code === 503 || (code === 500 && known500.test(message));
  return isExpected ? undefined : `answered ${code}: ${message}`;
}

/** The stored objects that the API server does not accept when they are written back as they are. */
async function unwritable(api: ScriptedWebhooks): Promise<readonly string[]> {
  const found: string[] = [];
  for (const resource of api.server.kinds.all) {
    if (!resource.verbs.includes("update") || resource.conversion !== undefined) continue;
    for (const { object } of api.store.collection(resource.collection).records()) {
      const [collection = ""] = doorsOf(resource).map(({ path }) => path);
      const what = `PUT ${collection}/${object.metadata.name}?dryRun=All`;
      const { code, body } = await api.request(what, object, "application/json");
      if (code !== 200) found.push(`${what}: ${code} ${JSON.stringify(body["message"])}`);
    }
  }
  return found;
}
