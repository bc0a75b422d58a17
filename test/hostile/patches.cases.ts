import { configMaps, deployments, type HostileRequest } from "./fixture.ts";

const types = {
  json: "application/json-patch+json",
  merge: "application/merge-patch+json",
  strategic: "application/strategic-merge-patch+json",
  apply: "application/apply-patch+yaml",
};

/** A patch of the ConfigMap `target`; another one when its path is given. */
function patch(kind: keyof typeof types, body: unknown, path = `${configMaps}/target`) {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return { what: `PATCH ${path}`, headers: { "content-type": types[kind] }, body: text };
}

const web = `${deployments}/target`;
const operations = (count: number, operation: object) => Array.from({ length: count }, () => operation);
const bad = { code: 400, reason: "BadRequest" } as const;
const invalid = { code: 422, reason: "Invalid" } as const;
const fine = { code: 200 } as const;
const tooLarge = { code: 413, reason: "RequestEntityTooLarge" } as const;

/** Doubles the same text until it would fill any memory. */
const bomb = [
  { op: "add", path: "/data/a", value: "x".repeat(1000) },
  ...Array.from({ length: 40 }, (_none, level) => ({
    op: "copy",
    from: "/data",
    path: `/data/${"d".repeat(level + 1)}`,
  })),
];

const deep = (depth: number) => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;

/** Hostile patches. */
export const patches: readonly HostileRequest[] = [
  {
    name: "of an unknown media type",
    what: `PATCH ${configMaps}/target`,
    headers: { "content-type": "application/json" },
    body: "{}",
    code: 415,
    reason: "UnsupportedMediaType",
    says: /strategic-merge-patch/,
  },
  {
    name: "without a media type",
    what: `PATCH ${configMaps}/target`,
    body: "{}",
    code: 415,
    reason: "UnsupportedMediaType",
  },
  {
    name: "for server-side apply without a manager",
    ...patch("apply", "{}"),
    ...invalid,
    says: /fieldManager: Required value: is required for apply patch/,
  },
  {
    name: "for server-side apply that is nested without end",
    ...patch("apply", deep(100_000), `${configMaps}/target?fieldManager=me`),
    ...bad,
    says: /max depth/,
  },
  {
    name: "for server-side apply that contains itself",
    ...patch("apply", `a: &a [${"*a,".repeat(99)}]\n`, `${configMaps}/target?fieldManager=me`),
    ...bad,
    says: /anchor 'a' value contains itself/,
  },
  {
    name: "for server-side apply with a hostile key",
    ...patch(
      "apply",
      '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"target"},"data":{"__proto__":{"a":1}}}',
      `${configMaps}/target?fieldManager=me`,
    ),
    code: 500,
    says: /\.data\.__proto__: expected string/,
  },
  {
    name: "of a missing object",
    ...patch("merge", {}, `${configMaps}/missing`),
    code: 404,
    reason: "NotFound",
  },
  { name: "of a collection", ...patch("merge", {}, configMaps), code: 405, reason: "MethodNotAllowed" },
  { name: "that is no JSON", ...patch("merge", "{"), ...bad },
  { name: "that is empty", ...patch("merge", ""), ...bad },
  { name: "by merging a list", ...patch("merge", []), ...bad },
  { name: "by merging null", ...patch("merge", "null"), ...bad },
  { name: "by merging a string", ...patch("strategic", '"x"'), ...bad },
  { name: "that gives another name", ...patch("merge", { metadata: { name: "other" } }), ...bad },
  { name: "that gives another namespace", ...patch("merge", { metadata: { namespace: "other" } }), ...bad },
  {
    name: "that gives another UID",
    ...patch("merge", { metadata: { uid: "00000000-0000-4000-8000-000000000000" } }),
    ...invalid,
    says: /metadata.uid/,
  },
  {
    name: "of another revision",
    ...patch("merge", { metadata: { resourceVersion: "1" } }),
    code: 409,
    reason: "Conflict",
  },
  { name: "that changes the kind", ...patch("merge", { kind: "Secret" }), ...invalid },
  {
    name: "with __proto__",
    ...patch("merge", '{"data":{"__proto__":{"polluted":"yes"}}}'),
    ...bad,
    says: /__proto__/,
  },
  {
    name: "with a constructor's prototype",
    ...patch("strategic", '{"metadata":{"constructor":{"prototype":{"polluted":"yes"}}}}'),
    ...bad,
  },
  { name: "nested a hundred thousand levels deep", ...patch("merge", deep(100_000)), ...bad },
  { name: "nested too deep", ...patch("merge", deep(220)), ...bad, says: /deep|depth/ },
  { name: "that is no list of operations", ...patch("json", {}), ...bad },
  { name: "with an operation that is no object", ...patch("json", [1]), ...bad },
  { name: "with an unknown operation", ...patch("json", [{ op: "explode", path: "/data" }]), ...invalid },
  { name: "without a path", ...patch("json", [{ op: "remove" }]), ...invalid },
  {
    name: "with more operations than the limit",
    ...patch("json", operations(10_001, { op: "test", path: "/kind", value: "ConfigMap" })),
    ...tooLarge,
  },
  {
    name: "with as many as allowed",
    ...patch("json", operations(10_000, { op: "test", path: "/kind", value: "ConfigMap" })),
    ...fine,
  },
  { name: "that doubles a value with every copy", ...patch("json", bomb), ...tooLarge },
  { name: "with a malformed path", ...patch("json", [{ op: "add", path: "data", value: 1 }]), ...invalid },
  {
    name: "with a malformed escape in a path",
    ...patch("json", [{ op: "remove", path: "/data/~2" }]),
    ...invalid,
  },
  {
    name: "with a path of a million tokens",
    ...patch("json", [{ op: "remove", path: "/a".repeat(1_000_000) }]),
    ...bad,
  },
  {
    name: "with a path that does not exist",
    ...patch("json", [{ op: "replace", path: "/data/none/deeper", value: 1 }]),
    ...invalid,
  },
  {
    name: "with a path through a string",
    ...patch("json", [{ op: "add", path: "/kind/0", value: "x" }]),
    ...invalid,
  },
  {
    name: "with a path to __proto__",
    ...patch("json", [{ op: "add", path: "/__proto__/polluted", value: "yes" }]),
    ...bad,
  },
  {
    name: "with a path through a constructor",
    ...patch("json", [{ op: "add", path: "/data/constructor/prototype/polluted", value: "yes" }]),
    ...bad,
  },
  {
    name: "with an index beyond a list",
    ...patch(
      "json",
      [{ op: "add", path: "/spec/template/spec/containers/99999999999999999999", value: {} }],
      web,
    ),
    ...invalid,
  },
  {
    name: "with a negative index",
    ...patch("json", [{ op: "remove", path: "/spec/template/spec/containers/-1" }], web),
    ...invalid,
  },
  {
    name: "with an index after a list, to remove",
    ...patch("json", [{ op: "remove", path: "/spec/template/spec/containers/-" }], web),
    ...invalid,
  },
  {
    name: "that moves a value into itself",
    ...patch("json", [{ op: "move", from: "/metadata", path: "/metadata/labels" }]),
    ...invalid,
  },
  { name: "that removes the whole document", ...patch("json", [{ op: "remove", path: "" }]), ...invalid },
  {
    name: "that replaces the document by a list",
    ...patch("json", [{ op: "replace", path: "", value: [] }]),
    ...invalid,
  },
  {
    name: "that replaces the document by another",
    ...patch("json", [{ op: "replace", path: "", value: { metadata: { name: "target" } } }]),
    ...invalid,
  },
  { name: "that fails a test", ...patch("json", [{ op: "test", path: "/kind", value: "Pod" }]), ...invalid },
  {
    name: "with an unknown directive",
    ...patch("strategic", { spec: { template: { $patch: "explode" } } }, web),
    ...bad,
  },
  { name: "with a directive that is no string", ...patch("strategic", { spec: { $patch: 7 } }, web), ...bad },
  {
    name: "with an order that is no list",
    ...patch("strategic", { spec: { template: { spec: { "$setElementOrder/containers": "web" } } } }, web),
    ...bad,
  },
  {
    name: "with an order of malformed entries",
    ...patch(
      "strategic",
      { spec: { template: { spec: { "$setElementOrder/containers": [1, null, []] } } } },
      web,
    ),
    ...bad,
    says: /names nothing/,
  },
  {
    name: "with malformed keys to retain",
    ...patch("strategic", { spec: { strategy: { $retainKeys: [1] } } }, web),
    ...bad,
    says: /names nothing/,
  },
  {
    name: "with an element that has no name",
    ...patch("strategic", { spec: { template: { spec: { containers: [{ image: "x" }] } } } }, web),
    ...invalid,
    says: /merge key/,
  },
  {
    name: "with an element that is no object",
    ...patch("strategic", { spec: { template: { spec: { containers: [7] } } } }, web),
    ...bad,
  },
  {
    name: "with a string where a list belongs",
    ...patch("strategic", { spec: { template: { spec: { containers: "web" } } } }, web),
    ...invalid,
  },
  {
    name: "with a malformed list to delete from",
    ...patch("strategic", { metadata: { "$deleteFromPrimitiveList/finalizers": { a: 1 } } }, web),
    ...bad,
  },
  {
    name: "that makes the object invalid",
    ...patch(
      "strategic",
      { spec: { template: { spec: { containers: [{ $patch: "delete", name: "web" }] } } } },
      web,
    ),
    ...invalid,
  },
  {
    name: "of an unknown field under strict validation",
    ...patch("merge", { data2: {} }, `${configMaps}/target?fieldValidation=Strict`),
    ...invalid,
    says: /unknown field "data2"/,
  },
];
