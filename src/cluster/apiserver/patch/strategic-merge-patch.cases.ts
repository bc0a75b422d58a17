import type { Json, JsonObject } from "../../../api/json.ts";

/** A change to the spec of a Pod, unless it says what else it changes. */
export interface StrategicCase {
  readonly name: string;
  readonly type?: string;
  readonly before: JsonObject;
  readonly patch: Json;
  readonly want: JsonObject;
}

export const strategicCases: readonly StrategicCase[] = [
  {
    name: "merges objects and removes by null",
    before: { nodeSelector: { a: "1", b: "2" }, hostname: "h" },
    patch: { nodeSelector: { b: null, c: "3" }, hostname: null },
    want: { nodeSelector: { a: "1", c: "3" } },
  },
  {
    name: "drops nulls from what it adds",
    before: {},
    patch: { dnsConfig: { options: null, searches: ["a"] } },
    want: { dnsConfig: { searches: ["a"] } },
  },
  {
    name: "replaces an object that says so",
    before: { securityContext: { runAsUser: 1, fsGroup: 2 } },
    patch: { securityContext: { $patch: "replace", runAsUser: 3 } },
    want: { securityContext: { runAsUser: 3 } },
  },
  {
    name: "empties an object that says so",
    before: { securityContext: { runAsUser: 1 } },
    patch: { securityContext: { $patch: "delete" } },
    want: { securityContext: {} },
  },
  {
    name: "deletes nothing where nothing is",
    before: {},
    patch: { securityContext: { $patch: "delete" } },
    want: {},
  },
  {
    name: "merges an object that says so",
    before: { securityContext: { runAsUser: 1 } },
    patch: { securityContext: { $patch: "merge", fsGroup: 2 } },
    want: { securityContext: { runAsUser: 1, fsGroup: 2 } },
  },
  {
    name: "merges containers by name and puts new ones where the patch has them",
    before: { containers: [{ name: "a", image: "1" }, { name: "b" }] },
    patch: { containers: [{ name: "a", image: "2" }, { name: "c" }] },
    want: { containers: [{ name: "a", image: "2" }, { name: "c" }, { name: "b" }] },
  },
  {
    name: "puts a new element behind those the patch does not name when they stood in front",
    before: { containers: [{ name: "a" }, { name: "b" }] },
    patch: { containers: [{ name: "b", image: "2" }, { name: "c" }] },
    want: { containers: [{ name: "a" }, { name: "b", image: "2" }, { name: "c" }] },
  },
  {
    name: "deletes an element by its key",
    before: { containers: [{ name: "a" }, { name: "b" }] },
    patch: { containers: [{ $patch: "delete", name: "a" }] },
    want: { containers: [{ name: "b" }] },
  },
  {
    name: "deletes an element that is not there",
    before: { containers: [{ name: "a" }] },
    patch: { containers: [{ $patch: "delete", name: "z" }] },
    want: { containers: [{ name: "a" }] },
  },
  {
    name: "replaces a list that says so",
    before: { containers: [{ name: "a", image: "1" }, { name: "b" }] },
    patch: { containers: [{ name: "a" }, { $patch: "replace" }] },
    want: { containers: [{ name: "a" }] },
  },
  {
    name: "merges an element that says so",
    before: { containers: [{ name: "a", image: "1" }] },
    patch: { containers: [{ $patch: "merge", name: "a", tty: true }] },
    want: { containers: [{ name: "a", image: "1", tty: true }] },
  },
  {
    name: "goes into lists inside lists, new elements first",
    before: { containers: [{ name: "a", env: [{ name: "X", value: "1" }], args: ["x"] }] },
    patch: { containers: [{ name: "a", env: [{ name: "Y", value: "2" }], args: ["y"] }] },
    want: {
      containers: [
        {
          name: "a",
          env: [
            { name: "Y", value: "2" },
            { name: "X", value: "1" },
          ],
          args: ["y"],
        },
      ],
    },
  },
  {
    name: "tells ports apart by number",
    before: { containers: [{ name: "a", ports: [{ containerPort: 80, name: "web" }] }] },
    patch: { containers: [{ name: "a", ports: [{ containerPort: 80, protocol: "TCP" }] }] },
    want: { containers: [{ name: "a", ports: [{ containerPort: 80, name: "web", protocol: "TCP" }] }] },
  },
  {
    name: "replaces lists without a merge key",
    before: { tolerations: [{ key: "a" }, { key: "b" }] },
    patch: { tolerations: [{ key: "b", effect: null }] },
    want: { tolerations: [{ key: "b" }] },
  },
  {
    name: "empties a list without a merge key",
    before: { tolerations: [{ key: "a" }] },
    patch: { tolerations: [] },
    want: { tolerations: [] },
  },
  {
    name: "unites lists of scalars",
    type: "meta.v1.ObjectMeta",
    before: { finalizers: ["a", "b"] },
    patch: { finalizers: ["c", "b"] },
    want: { finalizers: ["c", "a", "b"] },
  },
  {
    name: "takes scalars out of a list",
    type: "meta.v1.ObjectMeta",
    before: { finalizers: ["a", "b", "c"] },
    patch: { "$deleteFromPrimitiveList/finalizers": ["b", "z"] },
    want: { finalizers: ["a", "c"] },
  },
  {
    name: "takes scalars out of a list that is not there",
    type: "meta.v1.ObjectMeta",
    before: {},
    patch: { "$deleteFromPrimitiveList/finalizers": ["b"] },
    want: {},
  },
  {
    name: "adds, removes and orders scalars at once",
    type: "meta.v1.ObjectMeta",
    before: { finalizers: ["mine", "old", "theirs"] },
    patch: {
      finalizers: ["new"],
      "$deleteFromPrimitiveList/finalizers": ["old"],
      "$setElementOrder/finalizers": ["new", "mine"],
    },
    want: { finalizers: ["new", "mine", "theirs"] },
  },
  {
    name: "orders a list it does not change",
    before: { containers: [{ name: "a" }, { name: "b" }, { name: "c" }] },
    patch: { "$setElementOrder/containers": [{ name: "c" }, { name: "a" }] },
    want: { containers: [{ name: "b" }, { name: "c" }, { name: "a" }] },
  },
  {
    name: "weaves what only the server has between what it stood between",
    before: { containers: [{ name: "s0" }, { name: "a" }, { name: "s1" }, { name: "b" }, { name: "s2" }] },
    patch: { "$setElementOrder/containers": [{ name: "a" }, { name: "b" }] },
    want: { containers: [{ name: "s0" }, { name: "a" }, { name: "s1" }, { name: "b" }, { name: "s2" }] },
  },
  {
    name: "orders what it adds",
    before: { containers: [{ name: "a" }, { name: "server" }] },
    patch: {
      containers: [{ name: "new" }],
      "$setElementOrder/containers": [{ name: "new" }, { name: "a" }],
    },
    want: { containers: [{ name: "new" }, { name: "a" }, { name: "server" }] },
  },
  {
    name: "makes a list in the order asked for",
    before: {},
    patch: {
      containers: [{ name: "a" }, { name: "b" }],
      "$setElementOrder/containers": [{ name: "a" }, { name: "b" }],
    },
    want: { containers: [{ name: "a" }, { name: "b" }] },
  },
  {
    name: "asks for an order of nothing",
    before: {},
    patch: { "$setElementOrder/containers": [{ name: "a" }] },
    want: {},
  },
  {
    name: "keeps only the keys it retains",
    before: { volumes: [{ name: "v", emptyDir: {} }] },
    patch: { volumes: [{ $retainKeys: ["name", "configMap"], name: "v", configMap: { name: "c" } }] },
    want: { volumes: [{ name: "v", configMap: { name: "c" } }] },
  },
  {
    name: "may remove by null what it does not retain",
    type: "apps.v1.DeploymentSpec",
    before: { strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 1 } } },
    patch: { strategy: { $retainKeys: ["type"], rollingUpdate: null, type: "Recreate" } },
    want: { strategy: { type: "Recreate" } },
  },
  {
    name: "replaces a selector whose strategy is replace",
    type: "policy.v1.PodDisruptionBudgetSpec",
    before: { selector: { matchLabels: { a: "1" } } },
    patch: { selector: { matchLabels: { b: "2" } } },
    want: { selector: { matchLabels: { b: "2" } } },
  },
  {
    name: "releases a Pod as the garbage collector does",
    type: "core.v1.Pod",
    before: { metadata: { ownerReferences: [{ uid: "1", name: "a" }, { uid: "2" }] } },
    patch: { metadata: { ownerReferences: [{ $patch: "delete", uid: "1" }], uid: "p" } },
    want: { metadata: { ownerReferences: [{ uid: "2" }], uid: "p" } },
  },
  {
    name: "patches a condition by type",
    type: "core.v1.Node",
    before: { status: { conditions: [{ type: "Ready", status: "True" }, { type: "DiskPressure" }] } },
    patch: { status: { conditions: [{ type: "Ready", status: "False" }] } },
    want: { status: { conditions: [{ type: "Ready", status: "False" }, { type: "DiskPressure" }] } },
  },
  {
    name: "merges what no schema knows: objects by key, lists as a whole",
    before: { unknown: { a: 1, list: [{ name: "x" }] } },
    patch: { unknown: { b: 2, list: [{ name: "y" }] } },
    want: { unknown: { a: 1, b: 2, list: [{ name: "y" }] } },
  },
  {
    name: "takes the patch where the kinds of value differ",
    before: { containers: "nonsense", hostname: { a: 1 } },
    patch: { containers: [{ name: "a" }], hostname: "h" },
    want: { containers: [{ name: "a" }], hostname: "h" },
  },
];

export const strategicRefusals: readonly {
  readonly name: string;
  readonly patch: Json;
  readonly code: number;
}[] = [
  { name: "a patch that is no object", patch: [], code: 400 },
  { name: "an unknown directive", patch: { securityContext: { $patch: "destroy" } }, code: 400 },
  { name: "an element without its key", patch: { containers: [{ image: "i" }] }, code: 422 },
  { name: "a deletion without its key", patch: { containers: [{ $patch: "delete" }] }, code: 422 },
  { name: "an element that is no object", patch: { containers: ["a"] }, code: 400 },
  { name: "an order that is no list", patch: { "$setElementOrder/containers": "a" }, code: 400 },
  { name: "deletions that are no list", patch: { "$deleteFromPrimitiveList/x": {} }, code: 400 },
  { name: "retained keys that are no list", patch: { affinity: { $retainKeys: true } }, code: 400 },
  { name: "retained keys that are no keys", patch: { affinity: { $retainKeys: [1] } }, code: 400 },
  {
    name: "an order of elements that name none",
    patch: { "$setElementOrder/containers": [{ image: "i" }] },
    code: 400,
  },
  {
    name: "an order by name where elements are objects",
    patch: { "$setElementOrder/containers": ["a"] },
    code: 400,
  },
  { name: "deletions that are objects", patch: { "$deleteFromPrimitiveList/x": [{}] }, code: 400 },
  {
    name: "retained keys that drop what the patch sets",
    patch: { affinity: { $retainKeys: ["a"], podAffinity: {} } },
    code: 400,
  },
  {
    name: "an order that forgets an element",
    patch: { containers: [{ name: "a" }], "$setElementOrder/containers": [{ name: "b" }] },
    code: 400,
  },
  {
    name: "an order other than that of the elements",
    patch: {
      containers: [{ name: "a" }, { name: "b" }],
      "$setElementOrder/containers": [{ name: "b" }, { name: "a" }],
    },
    code: 400,
  },
];
