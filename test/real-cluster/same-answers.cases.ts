/** One request that both API servers get, after all those before it. */
export interface SameRequest {
  readonly what: string;
  readonly body?: object | string;
  readonly type?: string;
  /** Whom to impersonate. */
  readonly as?: string;
}

const core = "/api/v1/namespaces/same";
const maps = `${core}/configmaps`;
const deployments = "/apis/apps/v1/namespaces/same/deployments";
const rbac = "/apis/rbac.authorization.k8s.io/v1";
const merge = "application/merge-patch+json";
const jsonPatch = "application/json-patch+json";
const strategic = "application/strategic-merge-patch+json";
const apply = "application/apply-patch+yaml";
const yaml = "application/yaml";

const labels = { app: "web" };
const deployment = (spec: object = {}) => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "web" },
  spec: {
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: "app", image: "app:1" }] } },
    ...spec,
  },
});
const map = (data: object, metadata: object = {}) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "a", ...metadata },
  data,
});
const repeated = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: twice}\ndata:\n  a: '1'\n  a: '2'\n";
const map1 = "metadata: {name: first}\ndata: {a: b}\n";
const map2 = "metadata: {name: second}\n";
const role = (rules: readonly object[], rest: object = {}) => ({ metadata: { name: "new" }, rules, ...rest });
const pods = { apiGroups: [""], resources: ["pods"] };
const secrets = { apiGroups: [""], resources: ["secrets"] };
const aggregationRule = { clusterRoleSelectors: [{ matchLabels: { a: "b" } }] };
const binding = (name: string, to: string, kind = "ClusterRole") => ({
  metadata: { name },
  roleRef: { apiGroup: "rbac.authorization.k8s.io", kind, name: to },
  subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: "jane" }],
});

const shop = (spec: object, containers: readonly string[], ownLabels?: object) => ({
  ...deployment(),
  metadata: { name: "shop", ...(ownLabels !== undefined && { labels: ownLabels }) },
  spec: {
    selector: { matchLabels: labels },
    template: {
      metadata: { labels },
      spec: {
        containers: containers.map((name) => ({ name, image: "app:1", ports: [{ containerPort: 80 }] })),
      },
    },
    ...spec,
  },
});
const policy = "/apis/policy/v1/namespaces/same";
const priorities = "/apis/scheduling.k8s.io/v1/priorityclasses";
const budget = { minAvailable: 1, selector: { matchLabels: labels } };
const pod = (name: string, spec: object) => ({
  metadata: { name, labels },
  spec: { automountServiceAccountToken: false, containers: [{ name: "app", image: "app:1" }], ...spec },
});
const limited = (cpu: string) => ({ name: "app", image: "app:1", resources: { limits: { cpu } } });
const hard = { "requests.cpu": "1", pods: "2" };
const used = { "requests.cpu": "0", pods: "0" };
const variable = { name: "A", value: "b" };
const repeatedEnv = { containers: [{ name: "app", image: "app:1", env: [variable, variable] }] };

const armored = (annotation: string, profile?: object, container = "app") => ({
  ...pod("armored", profile === undefined ? {} : { securityContext: { appArmorProfile: profile } }),
  metadata: {
    name: "armored",
    labels,
    annotations: { [`container.apparmor.security.beta.kubernetes.io/${container}`]: annotation },
  },
});
const files = (...paths: readonly string[]) => ({
  volumes: [{ name: "v", configMap: { name: "c", items: paths.map((path) => ({ key: "k", path })) } }],
});

/** Requests whose responses are the same, but for names, times and versions. */
export const sameRequests: readonly SameRequest[] = [
  { what: "POST /api/v1/namespaces", body: { metadata: { name: "same" } } },
  { what: `POST ${core}/serviceaccounts`, body: { metadata: { name: "default" } } },
  // Creates.
  { what: `POST ${maps}`, body: map({ k: "v" }) },
  { what: `POST ${maps}`, body: map({ k: "v" }) },
  { what: `POST ${maps}`, body: { metadata: {} } },
  { what: `POST ${maps}`, body: { metadata: { name: "Not_a_name" } } },
  { what: `POST ${maps}`, body: { metadata: { name: "x", namespace: "other" } } },
  { what: `POST ${maps}`, body: "{}", type: "text/plain" },
  { what: `POST ${maps}`, body: map({ k: 5 }) },
  { what: `POST ${maps}?fieldValidation=Strict`, body: { ...map({}), colour: 1, data: { a: "b" } } },
  { what: `POST ${maps}?fieldValidation=Bogus`, body: map({}) },
  { what: `POST ${maps}?dryRun=Some`, body: map({}) },
  { what: `POST ${maps}?dryRun=`, body: map({}) },
  { what: `POST ${maps}`, body: "null" },
  { what: `POST ${maps}?dryRun=All`, body: map({}, { name: "dry" }) },
  { what: `POST ${maps}?fieldManager=${"x".repeat(129)}`, body: map({}) },
  { what: `POST ${maps}`, body: map({ "a/b": "c" }, { name: "keys" }) },
  { what: `POST ${maps}`, body: map({}, { name: "labels", labels: { "a b": "c" } }) },
  { what: `POST ${maps}`, body: map({}, { name: "long", labels: { a: "x".repeat(64) } }) },
  { what: "POST /api/v1/namespaces/nowhere/configmaps", body: map({}) },
  { what: `POST ${maps}?fieldValidation=Strict`, body: repeated, type: yaml },
  { what: `POST ${maps}?fieldValidation=Ignore`, body: repeated, type: yaml },
  { what: `POST ${maps}`, body: "metadata: {name: octal}\ndata: {mode: 0644, on: x}\n", type: yaml },
  {
    what: `POST ${maps}`,
    body: "metadata: {name: words}\ndata: {mode: '0644', on: x, 'yes': y}\n",
    type: yaml,
  },
  { what: `GET ${maps}/words` },
  ...[`${map1}---\n${map2}`, `---\n${map1}---\n`, `${map1}---\n[`, `${map1}...\n`].map((body) => ({
    what: `POST ${maps}?dryRun=All`,
    body,
    type: yaml,
  })),
  ...[
    "{<<: {b: x}, a: z}",
    "{a: !!binary aGk=}",
    "{a: 2026-11-15, b: 12:30:45}",
    "{a: 0O17}",
    "{a: !!str 5}",
  ].map((data) => ({
    what: `POST ${maps}?dryRun=All`,
    body: `metadata: {name: types}\ndata: ${data}\n`,
    type: yaml,
  })),
  {
    what: `POST ${deployments}?dryRun=All`,
    body: `${JSON.stringify(deployment()).replace('"spec":{', '"spec":{"replicas": 0o17,')}\n`,
    type: yaml,
  },
  { what: `POST ${deployments}`, body: deployment() },
  { what: `POST ${deployments}`, body: deployment({ selector: { matchLabels: { app: "other" } } }) },
  { what: `POST ${deployments}`, body: deployment({ selector: undefined }) },
  { what: `POST ${core}/pods`, body: { metadata: { name: "p" }, spec: { containers: [] } } },
  {
    what: `POST ${core}/pods`,
    body: {
      metadata: { name: "p" },
      spec: { containers: [{ name: "a", image: "b" }], priorityClassName: "no" },
    },
  },
  {
    what: `POST ${core}/pods`,
    body: {
      metadata: { name: "p" },
      spec: { containers: [{ name: "a", image: "b" }], serviceAccountName: "no" },
    },
  },
  { what: `POST ${core}/services`, body: { metadata: { name: "s" }, spec: { ports: [] } } },
  { what: `POST ${core}/services`, body: { metadata: { name: "s" }, spec: { ports: [{ port: 99_999 }] } } },
  // Reads.
  { what: `GET ${maps}/none` },
  { what: `GET ${maps}/a` },
  { what: "GET /api/v1/nosuch" },
  ...["POST", "PUT", "DELETE", "PATCH"].map((method) => ({ what: `${method} /apis/apps/v1` })),
  { what: `POST ${maps}/a`, body: map({}) },
  { what: "DELETE /api/v1/namespaces" },
  { what: `GET ${maps}?fieldSelector=spec.x=1` },
  { what: `GET ${core}/pods?fieldSelector=spec.x=1` },
  { what: `GET ${maps}?labelSelector=a%20in%20(` },
  { what: `GET ${maps}?resourceVersionMatch=Exact` },
  { what: `GET ${maps}?resourceVersion=0&resourceVersionMatch=Exact` },
  { what: `GET ${maps}?resourceVersion=1&resourceVersionMatch=Bogus` },
  { what: `GET ${maps}?sendInitialEvents=true` },
  { what: "GET /api/v1/nodes?fieldSelector=metadata.namespace%3Dx" },
  { what: "GET /apis/batch/v1/jobs?fieldSelector=spec.x%3D1" },
  { what: `GET ${maps}?labelSelector=nothing%3Dx` },
  { what: `GET ${maps}?fieldSelector=metadata.name%3Da` },
  { what: `GET ${maps}?watch=true&continue=x` },
  { what: `GET ${maps}?watch=true&sendInitialEvents=true` },
  { what: `GET ${maps}?watch=true&resourceVersionMatch=NotOlderThan` },
  { what: `GET ${deployments}/web/scale` },
  { what: `GET ${deployments}/web/nothing` },
  // Updates.
  { what: `PUT ${maps}/a`, body: map({ k: "w" }) },
  { what: `PUT ${maps}/a`, body: map({ k: "w" }, { resourceVersion: "1" }) },
  { what: `PUT ${maps}/a`, body: map({ k: "w" }, { name: "b" }) },
  { what: `PUT ${maps}/a`, body: {} },
  { what: `PUT ${maps}/none`, body: map({}, { name: "none" }) },
  { what: `PUT ${deployments}/web`, body: deployment({ selector: { matchLabels: { app: "db" } } }) },
  // Patches.
  { what: `PATCH ${maps}/a`, body: { data: { k: null, l: "m" } }, type: merge },
  { what: `PATCH ${maps}/a`, body: { metadata: { resourceVersion: "1" } }, type: merge },
  { what: `PATCH ${maps}/none`, body: {}, type: merge },
  { what: `PATCH ${maps}/a`, body: [{ op: "add", path: "/data/n", value: "o" }], type: jsonPatch },
  { what: `PATCH ${maps}/a?force=true`, body: {}, type: merge },
  { what: `PATCH ${deployments}/web/scale`, body: { spec: { replicas: 3 } }, type: merge },
  { what: `PATCH ${deployments}/web/scale`, body: { spec: { replicas: -3 } }, type: merge },
  {
    what: `PATCH ${deployments}/web`,
    body: { spec: { template: { spec: { containers: [{ name: "app", image: "app:2" }] } } } },
    type: strategic,
  },
  // Server-side apply.
  { what: `PATCH ${maps}/a`, body: map({}), type: apply },
  { what: `PATCH ${maps}/a?fieldManager=one`, body: map({ k: "1" }), type: apply },
  { what: `PATCH ${maps}/a?fieldManager=two`, body: map({ k: "2" }), type: apply },
  { what: `PATCH ${maps}/a?fieldManager=two&force=true`, body: map({ k: "2" }), type: apply },
  { what: `PATCH ${maps}/a?fieldManager=one`, body: map({}), type: apply },
  { what: `PATCH ${maps}/a?fieldManager=one`, body: { ...map({}), colour: 1 }, type: apply },
  { what: `PATCH ${maps}/a?fieldManager=one`, body: { ...map({}), kind: "Secret" }, type: apply },
  { what: `PATCH ${maps}/a?fieldManager=one`, body: map({}, { managedFields: [{}] }), type: apply },
  { what: `PATCH ${maps}/twice?fieldManager=one&fieldValidation=Strict`, body: repeated, type: apply },
  {
    what: `PATCH ${maps}/twice?fieldManager=one&fieldValidation=Ignore&force=true`,
    body: repeated,
    type: apply,
  },
  // Several managers of one Deployment: lists with keys, a default, subresources, removal, sharing, and take-over.
  ...[
    { by: "one", body: shop({ replicas: 2 }, ["app", "proxy"]) },
    { by: "two", body: shop({ paused: true }, ["app"]) },
    { by: "two", body: shop({ replicas: 3 }, ["app"]) },
    { by: "two&force=true", body: shop({ replicas: 3 }, ["app", "log"]) },
    { by: "one", body: shop({}, ["app"]) },
    { by: "three", body: shop({ strategy: { type: "Recreate" } }, []) },
    { by: "three&force=true", body: shop({ strategy: { type: "Recreate", rollingUpdate: null } }, []) },
    { by: "three&dryRun=All", body: shop({}, []) },
    { by: "three", body: shop({}, []) },
  ].map(({ by, body }) => ({ what: `PATCH ${deployments}/shop?fieldManager=${by}`, body, type: apply })),
  {
    what: `PATCH ${deployments}/shop/scale?fieldManager=scaler`,
    body: { spec: { replicas: 5 } },
    type: merge,
  },
  { what: `PATCH ${deployments}/shop?fieldManager=two`, body: shop({ replicas: 3 }, ["app"]), type: apply },
  {
    what: `PATCH ${deployments}/shop/status?fieldManager=controller`,
    body: { ...shop({}, []), spec: undefined, status: { replicas: 5, readyReplicas: 1 } },
    type: apply,
  },
  {
    what: `PATCH ${deployments}/shop?fieldManager=editor`,
    body: { metadata: { labels: { a: "b" } } },
    type: merge,
  },
  { what: `PATCH ${deployments}/shop?fieldManager=two`, body: shop({}, ["app"], { a: "c" }), type: apply },
  { what: `PATCH ${deployments}/shop?fieldManager=two`, body: shop({}, ["app"], { a: "b" }), type: apply },
  { what: `PATCH ${deployments}/shop`, body: { metadata: { managedFields: [{}] } }, type: merge },
  { what: `PATCH ${deployments}/shop?fieldManager=two`, body: shop({}, ["app"], { a: "c" }), type: apply },
  { what: `GET ${deployments}/shop` },
  // Deletes.
  { what: `DELETE ${maps}/none` },
  { what: `DELETE ${maps}/a?propagationPolicy=Bogus` },
  { what: `DELETE ${maps}/a?dryRun=All` },
  { what: `DELETE ${maps}/a` },
  { what: "DELETE /api/v1/namespaces/kube-system" },
  // Access.
  {
    what: `POST ${rbac}/clusterroles`,
    body: {
      metadata: { name: "same-jane" },
      rules: [
        { ...pods, verbs: ["get", "list"] },
        { apiGroups: ["rbac.authorization.k8s.io"], resources: ["*"], verbs: ["create", "patch", "get"] },
      ],
    },
  },
  { what: `POST ${rbac}/clusterrolebindings`, body: binding("same-jane", "same-jane") },
  { what: `GET ${core}/pods`, as: "jane" },
  { what: `GET ${core}/secrets`, as: "jane" },
  { what: `GET ${core}/secrets/a`, as: "jane" },
  { what: "GET /api/v1/nodes", as: "jane" },
  { what: "GET /metrics", as: "jane" },
  { what: "GET /openid/v1/jwks", as: "jane" },
  { what: `POST ${rbac}/namespaces/same/roles`, body: role([{ ...pods, verbs: ["get"] }]), as: "jane" },
  {
    what: `POST ${rbac}/namespaces/same/roles`,
    body: role([{ ...pods, verbs: ["get", "delete", "patch"] }]),
    as: "jane",
  },
  {
    what: `POST ${rbac}/namespaces/same/roles`,
    body: role([{ apiGroups: [""], resources: ["secrets", "pods/log"], verbs: ["get"] }]),
    as: "jane",
  },
  {
    what: `POST ${rbac}/clusterroles`,
    body: role([], { aggregationRule }),
    as: "jane",
  },
  { what: `POST ${rbac}/namespaces/same/rolebindings`, body: binding("b", "same-jane"), as: "jane" },
  { what: `POST ${rbac}/namespaces/same/rolebindings`, body: binding("c", "cluster-admin"), as: "jane" },
  { what: `POST ${rbac}/namespaces/same/rolebindings`, body: binding("d", "none"), as: "jane" },
  { what: `POST ${rbac}/namespaces/same/roles`, body: role([{ verbs: [], resources: ["pods"] }]) },
  {
    what: `POST ${rbac}/clusterroles`,
    body: {
      metadata: { name: "same-some" },
      rules: [
        { apiGroups: ["apps"], resources: ["*/scale"], verbs: ["get"] },
        { apiGroups: [""], resources: ["configmaps"], resourceNames: [""], verbs: ["get"] },
        { nonResourceURLs: ["/logs/*"], verbs: ["get"] },
      ],
    },
  },
  { what: `POST ${rbac}/clusterrolebindings`, body: binding("same-some", "same-some") },
  ...[
    [{ apiGroups: ["apps"], resources: ["deployments/scale", "deployments/*"], verbs: ["get"] }],
    [{ apiGroups: [""], resources: ["configmaps"], verbs: ["get"] }],
    [{ apiGroups: ["", "apps"], resources: ["secrets", "pods"], resourceNames: ["a", "b"], verbs: ["get"] }],
    [
      { ...secrets, verbs: ["get"] },
      { ...secrets, verbs: ["list"] },
    ],
    [{ nonResourceURLs: ["/logs/a", "/logs/*", "/logs"], verbs: ["get", "post"] }],
  ].map((rules) => ({ what: `POST ${rbac}/clusterroles`, body: role(rules), as: "jane" })),
  {
    what: `POST ${rbac}/clusterroles`,
    body: { metadata: { name: "same-keys" }, rules: [{ ...secrets, verbs: ["get"] }] },
  },
  {
    what: `POST ${rbac}/clusterrolebindings`,
    body: { ...binding("same-keepers", "same-keys"), subjects: [] },
  },
  {
    what: `POST ${rbac}/clusterroles`,
    body: { metadata: { name: "same-sum" }, rules: [{ ...pods, verbs: ["get"] }], aggregationRule },
  },
  { what: `PATCH ${rbac}/clusterroles/same-sum`, body: { aggregationRule: null }, type: merge, as: "jane" },
  ...["clusterroles/same-keys", "clusterrolebindings/same-keepers"].flatMap((path) =>
    [{ labels: { a: "b" } }, { finalizers: ["example.com/a"] }].map((metadata) => ({
      what: `PATCH ${rbac}/${path}`,
      body: { metadata },
      type: merge,
      as: "jane",
    })),
  ),
  {
    what: `POST ${rbac}/clusterroles`,
    body: role([{ ...secrets, verbs: ["delete"] }], { aggregationRule }),
    as: "jane",
  },
  {
    what: `POST /apis/authorization.k8s.io/v1/subjectaccessreviews`,
    body: {
      spec: { user: "jane", resourceAttributes: { verb: "get", resource: "pods", namespace: "same" } },
    },
  },
  { what: `POST ${core}/serviceaccounts/none/token`, body: { spec: {} } },
  { what: `POST ${core}/serviceaccounts/default/token`, body: { spec: { expirationSeconds: 5 } } },
  ...[
    { boundObjectRef: {} },
    { boundObjectRef: { kind: "Pod" } },
    { boundObjectRef: { kind: "Pod", name: "none" } },
    { boundObjectRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web" } },
    { expirationSeconds: 2 ** 32 + 1 },
  ].map((spec) => ({ what: `POST ${core}/serviceaccounts/default/token`, body: { spec } })),
  ...[{ name: "x" }, { namespace: "other" }].map((metadata) => ({
    what: `POST ${core}/serviceaccounts/default/token`,
    body: { metadata, spec: {} },
  })),
  { what: `GET ${core}/serviceaccounts/default/token` },
  // Reviews.
  {
    what: "POST /apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
    body: { spec: { resourceAttributes: { verb: "get", resource: "pods" } } },
    as: "joe",
  },
  { what: "POST /apis/authorization.k8s.io/v1/selfsubjectrulesreviews", body: { spec: {} } },
  { what: "POST /apis/authentication.k8s.io/v1/tokenreviews", body: { spec: {} } },
  // Quotas and limits; a quota has to be filled in, since no controller does.
  { what: `POST ${core}/resourcequotas`, body: { metadata: { name: "q" }, spec: { hard } } },
  { what: `PATCH ${core}/resourcequotas/q/status`, body: { status: { hard, used } }, type: merge },
  { what: `POST ${core}/pods`, body: pod("greedy", {}) },
  { what: `POST ${core}/pods`, body: pod("large", { containers: [limited("2")] }) },
  { what: `POST ${core}/pods`, body: pod("small", { containers: [limited("500m")] }) },
  { what: `POST ${core}/pods`, body: pod("more", { containers: [limited("500m")] }) },
  { what: `GET ${core}/resourcequotas/q` },
  { what: `DELETE ${core}/resourcequotas/q` },
  {
    what: `POST ${core}/limitranges`,
    body: {
      metadata: { name: "l" },
      spec: { limits: [{ type: "Container", max: { cpu: "1" }, default: { cpu: "500m" } }] },
    },
  },
  { what: `POST ${core}/pods?dryRun=All`, body: pod("l1", {}) },
  { what: `POST ${core}/pods?dryRun=All`, body: pod("l2", { containers: [limited("2")] }) },
  { what: `DELETE ${core}/limitranges/l` },
  // Subresources of Pods.
  ...[{}, { metadata: { name: "other" } }, { metadata: { name: "small" } }].map((body) => ({
    what: `POST ${core}/pods/small/eviction?dryRun=All`,
    body,
  })),
  { what: `POST ${core}/pods/small/binding`, body: { target: { kind: "Node", name: "n" } } },
  {
    what: `POST ${core}/pods/small/binding`,
    body: { metadata: { name: "small" }, target: { kind: "Node", name: "n" } },
  },
  {
    what: `POST ${core}/pods/small/binding`,
    body: { metadata: { name: "small" }, target: { kind: "Node", name: "n" } },
  },
  // Warnings.
  {
    what: `POST ${core}/pods?dryRun=All`,
    body: pod("w", {
      nodeSelector: { "beta.kubernetes.io/os": "linux" },
      topologySpreadConstraints: [{ maxSkew: 1, topologyKey: "zone", whenUnsatisfiable: "ScheduleAnyway" }],
      imagePullSecrets: [{ name: "a" }, { name: "a" }],
      terminationGracePeriodSeconds: -5,
    }),
  },
  { what: `GET ${core}/endpoints` },
  {
    what: `POST ${core}/pods?dryRun=All`,
    body: pod(
      "w",
      files("a", "b/c", "a/d", "a", "b//", "b", ...Array.from({ length: 300 }, (_, i) => `${i}`), "7/8"),
    ),
  },
  // AppArmor: annotations and fields.
  ...[
    armored("unconfined"),
    armored("localhost/mine", { type: "RuntimeDefault" }),
    armored("runtime/default", { type: "RuntimeDefault" }),
    armored("localhost/ padded"),
    armored("localhost/", { type: "Unconfined" }),
    armored("strict", undefined, "stray"),
  ].map((body) => ({ what: `POST ${core}/pods?dryRun=All`, body })),
  ...[armored("unconfined"), armored("localhost/mine", { type: "Localhost", localhostProfile: "yours" })].map(
    (template) => ({
      what: `POST ${deployments}?dryRun=All`,
      body: { ...deployment({ template }), metadata: { name: "armored" } },
    }),
  ),
  // Pods.
  { what: `POST ${core}/pods`, body: pod("a", { enableServiceLinks: false }) },
  { what: `POST ${core}/pods`, body: pod("b", repeatedEnv) },
  {
    what: `POST ${core}/pods`,
    body: pod("Bad", { restartPolicy: "Odd", containers: [{ name: "App", image: "" }] }),
  },
  {
    what: `POST ${core}/pods`,
    body: pod("c", { topologySpreadConstraints: [{ maxSkew: 0, topologyKey: "" }] }),
  },
  {
    what: `PATCH ${core}/pods/a`,
    body: { spec: { containers: [{ name: "app", image: "app:2" }] } },
    type: strategic,
  },
  { what: `PATCH ${core}/pods/a`, body: { metadata: armored("unconfined").metadata }, type: merge },
  {
    what: `PATCH ${core}/pods/a/status`,
    body: { metadata: { annotations: { "kubernetes.io/config.mirror": "x" } } },
    type: merge,
  },
  { what: `POST ${core}/pods/a/binding`, body: { metadata: { name: "a" }, target: { name: "node-1" } } },
  { what: `POST ${core}/pods/a/binding`, body: { metadata: { name: "a" }, target: { name: "node-2" } } },
  { what: `POST ${policy}/poddisruptionbudgets`, body: { metadata: { name: "p" }, spec: budget } },
  { what: `POST ${core}/pods/none/eviction`, body: { metadata: { name: "none" } } },
  { what: `DELETE ${core}/pods/b` },
  { what: `GET ${core}/pods/b` },
  // Other kinds.
  { what: `POST ${core}/services`, body: { metadata: { name: "e" }, spec: { type: "ExternalName" } } },
  { what: `POST ${core}/secrets`, body: { metadata: { name: "s" }, stringData: { a: "b" } } },
  { what: `POST ${core}/secrets`, body: { metadata: { name: "t" }, type: "kubernetes.io/tls", data: {} } },
  { what: `PATCH ${core}/secrets/s`, body: { type: "other" }, type: merge },
  { what: `POST ${core}/resourcequotas`, body: { metadata: { name: "q" }, spec: { hard: { pods: "-1" } } } },
  { what: `POST ${priorities}`, body: { metadata: { name: "system-x" }, value: 5 } },
  { what: `POST ${priorities}`, body: { metadata: { name: "big" }, value: 2_000_000_000 } },
  { what: `POST ${priorities}`, body: { metadata: { name: "mine" }, value: 100 } },
  { what: `PATCH ${priorities}/mine`, body: { value: 200 }, type: merge },
  { what: `POST ${core}/pods`, body: pod("d", { priorityClassName: "mine", priority: 5 }) },
  { what: "POST /api/v1/nodes", body: { metadata: { name: "n1" }, status: { capacity: { cpu: "4" } } } },
  { what: "PATCH /api/v1/nodes/n1", body: { spec: { unschedulable: true } }, type: strategic },
  { what: `POST ${core}/configmaps`, body: map({}, { name: "held", finalizers: ["bad"] }) },
  {
    what: `POST ${core}/configmaps`,
    body: { metadata: { name: "fixed" }, immutable: true, data: { a: "b" } },
  },
  { what: `PATCH ${core}/configmaps/fixed`, body: { data: { a: "c" } }, type: merge },
  // The end of a namespace.
  {
    what: "PUT /api/v1/namespaces/same/finalize",
    body: { metadata: { name: "same" }, spec: { finalizers: ["Bad"] } },
  },
  { what: "DELETE /api/v1/namespaces/same" },
  { what: `POST ${maps}`, body: map({}, { name: "late" }) },
];
