import type { Json, JsonObject } from "../../src/api/json.ts";

/** The group of the kinds that a flood defines. */
export const floodGroup = "flood.example.com";
/** The group of an extension API server that is never there. */
export const remoteGroup = "remote.example.com";

/** An object that is accepted as it is, and where it is sent. */
export interface ObjectTemplate {
  readonly collection: string;
  readonly name: string;
  readonly object: JsonObject;
  readonly subresources: readonly string[];
  /** Others depend on it, so that it is deleted seldom, and little of it is changed at a time. */
  readonly isBasis?: boolean;
}

const specSchema: JsonObject = {
  type: "object",
  properties: {
    a: { type: "string", default: "x", maxLength: 20, pattern: "^[a-z]*$" },
    b: { type: "integer", minimum: 0, maximum: 9, nullable: true },
    c: { type: "object", additionalProperties: { type: "string" }, maxProperties: 4 },
    d: { "x-kubernetes-int-or-string": true },
    e: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
    replicas: { type: "integer", format: "int32" },
    list: {
      type: "array",
      maxItems: 5,
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["a"],
      items: {
        type: "object",
        required: ["a"],
        properties: { a: { type: "string" }, b: { type: "number" } },
      },
    },
    any: { anyOf: [{ minLength: 1 }, { pattern: "^$" }], type: "string" },
  },
  "x-kubernetes-validations": [
    { rule: "!has(self.b) || self.b < 8", message: "b is too large", fieldPath: ".b" },
    { rule: "self.a == oldSelf.a", messageExpression: "'was ' + oldSelf.a", reason: "FieldValueForbidden" },
  ],
};

const definedVersion = (name: string): JsonObject => ({
  name,
  served: true,
  storage: name === "v1",
  schema: {
    openAPIV3Schema: {
      type: "object",
      properties: {
        spec: specSchema,
        status: {
          type: "object",
          properties: { replicas: { type: "integer" }, selector: { type: "string" } },
        },
      },
    },
  },
  subresources: {
    status: {},
    scale: {
      specReplicasPath: ".spec.replicas",
      statusReplicasPath: ".status.replicas",
      labelSelectorPath: ".status.selector",
    },
  },
  additionalPrinterColumns: [
    { name: "A", type: "string", jsonPath: ".spec.list[0].a" },
    { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp", priority: 1 },
  ],
  selectableFields: [{ jsonPath: ".spec.a" }],
});

/** The plurals of the kinds that a flood defines. */
export const definedPlurals = ["as", "bs", "cs"] as const;

function definition(plural: string): ObjectTemplate {
  const kind = plural.toUpperCase();
  const name = `${plural}.${floodGroup}`;
  return {
    collection: "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
    name,
    isBasis: true,
    subresources: ["", "/status"],
    object: {
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name },
      spec: {
        group: floodGroup,
        scope: "Namespaced",
        names: { plural, kind, singular: `${plural}-one`, shortNames: [`${plural}s`], categories: ["all"] },
        versions: [definedVersion("v1"), definedVersion("v2")],
        conversion: { strategy: "None" },
      },
    },
  };
}

function custom(plural: string, version: string, name: string): ObjectTemplate {
  return {
    collection: `/apis/${floodGroup}/${version}/namespaces/default/${plural}`,
    name,
    subresources: ["", "", "/status", "/scale"],
    object: {
      apiVersion: `${floodGroup}/${version}`,
      kind: plural.toUpperCase(),
      metadata: { name, labels: { app: "web" }, finalizers: [] },
      spec: {
        a: "x",
        b: 1,
        c: { a: "x" },
        d: "10%",
        e: { a: [1, { b: "x" }] },
        replicas: 2,
        list: [
          { a: "x", b: 1.5 },
          { a: "y", b: 2 },
        ],
        any: "x",
      },
      status: { replicas: 1, selector: "app=web" },
    },
  };
}

function apiService(version: string): ObjectTemplate {
  const name = `${version}.${remoteGroup}`;
  return {
    collection: "/apis/apiregistration.k8s.io/v1/apiservices",
    name,
    subresources: ["", "/status"],
    object: {
      apiVersion: "apiregistration.k8s.io/v1",
      kind: "APIService",
      metadata: { name },
      spec: {
        group: remoteGroup,
        version,
        groupPriorityMinimum: 1000,
        versionPriority: 15,
        insecureSkipTLSVerify: true,
        service: { namespace: "default", name: "remote", port: 443 },
      },
      status: { conditions: [{ type: "Available", status: "True", reason: "Passed", message: "ok" }] },
    },
  };
}

const claimSpec: JsonObject = {
  accessModes: ["ReadWriteOnce"],
  resources: { requests: { storage: "1Gi" }, limits: { storage: "5Gi" } },
  storageClassName: "a",
  volumeMode: "Filesystem",
  volumeName: "a",
  selector: { matchLabels: { app: "web" } },
  dataSourceRef: { kind: "PersistentVolumeClaim", name: "b" },
};

function claim(name: string, finalizers: readonly string[]): ObjectTemplate {
  return {
    collection: "/api/v1/namespaces/default/persistentvolumeclaims",
    name,
    subresources: ["", "", "/status"],
    object: {
      apiVersion: "v1",
      kind: "PersistentVolumeClaim",
      metadata: { name, finalizers },
      spec: claimSpec,
      status: {
        phase: "Bound",
        accessModes: ["ReadWriteOnce"],
        capacity: { storage: "1Gi" },
        allocatedResources: { storage: "2Gi" },
        allocatedResourceStatuses: { storage: "ControllerResizeInProgress" },
        conditions: [{ type: "Resizing", status: "True" }],
      },
    },
  };
}

const volume: ObjectTemplate = {
  collection: "/api/v1/persistentvolumes",
  name: "a",
  subresources: ["", "/status"],
  object: {
    apiVersion: "v1",
    kind: "PersistentVolume",
    metadata: { name: "a" },
    spec: {
      accessModes: ["ReadWriteOnce"],
      capacity: { storage: "1Gi" },
      persistentVolumeReclaimPolicy: "Delete",
      storageClassName: "a",
      claimRef: { namespace: "default", name: "a", uid: "1" },
      csi: { driver: "a.example.com", volumeHandle: "1", volumeAttributes: { a: "x" } },
      nodeAffinity: {
        required: {
          nodeSelectorTerms: [
            { matchExpressions: [{ key: "topology.kubernetes.io/zone", operator: "In", values: ["a"] }] },
          ],
        },
      },
    },
    status: { phase: "Bound" },
  },
};

const storageClass: ObjectTemplate = {
  collection: "/apis/storage.k8s.io/v1/storageclasses",
  name: "a",
  subresources: [""],
  object: {
    apiVersion: "storage.k8s.io/v1",
    kind: "StorageClass",
    metadata: { name: "a", annotations: { "storageclass.kubernetes.io/is-default-class": "true" } },
    provisioner: "sim.trimtab.dev/volumes",
    parameters: { a: "x" },
    reclaimPolicy: "Delete",
    volumeBindingMode: "WaitForFirstConsumer",
    allowVolumeExpansion: true,
    allowedTopologies: [{ matchLabelExpressions: [{ key: "topology.kubernetes.io/zone", values: ["a"] }] }],
  },
};

const statefulSet: ObjectTemplate = {
  collection: "/apis/apps/v1/namespaces/default/statefulsets",
  name: "a",
  subresources: ["", "/status", "/scale"],
  object: {
    apiVersion: "apps/v1",
    kind: "StatefulSet",
    metadata: { name: "a" },
    spec: {
      serviceName: "a",
      replicas: 2,
      podManagementPolicy: "Parallel",
      updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: 1, maxUnavailable: 1 } },
      persistentVolumeClaimRetentionPolicy: { whenDeleted: "Delete", whenScaled: "Retain" },
      ordinals: { start: 1 },
      selector: { matchLabels: { app: "web" } },
      template: {
        metadata: { labels: { app: "web" } },
        spec: {
          containers: [{ name: "app", image: "app:1", volumeMounts: [{ name: "data", mountPath: "/data" }] }],
        },
      },
      volumeClaimTemplates: [{ metadata: { name: "data" }, spec: claimSpec }],
    },
    status: { replicas: 1 },
  },
};

/** What the kinds of a flood are made of: definitions, their objects, APIServices, claims and what belongs to them. */
export const extensionTemplates: readonly ObjectTemplate[] = [
  ...definedPlurals.map(definition),
  ...definedPlurals.flatMap((plural) =>
    ["v1", "v2"].flatMap((version) => ["a", "b"].map((name) => custom(plural, version, name))),
  ),
  ...["v1", "v2beta1"].map(apiService),
  claim("a", []),
  claim("b", ["kubernetes.io/pvc-protection"]),
  volume,
  storageClass,
  statefulSet,
];

/** Texts of fields that are languages of their own. */
export const textsOfField: Readonly<Record<string, readonly Json[]>> = {
  rule: [
    "self == oldSelf",
    "self.a.matches('(a+)+$')",
    "self.list.all(x, self.list.all(y, x.a != y.a || x == y))",
    "1 / 0 == 1",
    "self.b * 9223372036854775807 > 0",
    "self.list[7].a == ''",
    "has(self.c) && self.c.all(key, size(self.c[key]) < 9)",
    "dyn(self).nothing.at.all",
    "quantity(self.a).isGreaterThan(quantity('1'))",
    "timestamp(self.a).getFullYear() > 1 && duration(self.a) > duration('1s')",
    "self.metadata.name == 'a'",
    "self.__proto__ == null",
    "url(self.any).getHost() == '' || ip(self.a).family() == 4",
    "optional.of(self.a).orValue('') == oldSelf.orValue(self).a",
    "self.a.find('[') == 'x' && '%d %s'.format([self.b, self.c]) != ''",
    "(((((((((((((((((((",
    "",
  ],
  messageExpression: ["self.a", "1", "oldSelf.a + string(self.b)", "'x'.repeat(2)", "''", "("],
  fieldPath: [".a", ".list[0].a", ".c['a.b']", "..", ".nothing", "a"],
  pattern: ["^(a+)+$", "(?<=x)a", "[", "\\p{L}+", "(a{1000}){9}", "^\\d$", "(?i)x"],
  format: ["date-time", "int32", "byte", "ipv4", "uuid", "duration", "nonsense"],
  jsonPath: [
    ".spec.a",
    ".spec.list[?(@.a=='x')].b",
    ".spec..a",
    ".",
    "",
    "{.spec.a}",
    ".spec.list[*].a",
    "[",
    ".__proto__",
  ],
  type: ["object", "array", "string", "integer", "number", "boolean", "null", "date", ""],
  "x-kubernetes-list-type": ["atomic", "set", "map", "list"],
  strategy: ["None", "Webhook", "none"],
  scope: ["Namespaced", "Cluster", ""],
  storage: ["1Gi", "2Gi", "0", "-1", "1e400", "9Ei", "1n", true, false],
  specReplicasPath: [".spec.replicas", ".spec.a", ".spec.list[0]", ".spec", "."],
  labelSelectorPath: [".status.selector", ".spec.c", ".status", ".spec.selector"],
};
