import type { JsonObject } from "../../api/json.ts";
import type { Resource } from "../../api/resource.ts";
import { endpoints, endpointSlices, namespaces, priorityClasses, services } from "../../api/resources.ts";
import { firstAddress } from "../apiserver/registry/service-network.ts";

/** An object that exists in every cluster from the start. */
export interface BootstrapObject {
  readonly resource: Resource;
  readonly object: JsonObject & { readonly metadata: JsonObject & { readonly name: string } };
}

/** The address of the API server, which the `kubernetes` Service has as its endpoint. */
export interface ServerAddress {
  readonly host: string;
  readonly port: number;
}

const rbac = { group: "rbac.authorization.k8s.io", version: "v1", namespaced: false };
const clusterRoles: Resource = { ...rbac, kind: "ClusterRole", plural: "clusterroles" };
const clusterRoleBindings: Resource = { ...rbac, kind: "ClusterRoleBinding", plural: "clusterrolebindings" };

/** The objects of a new cluster, in the order in which they have to be created. */
export function bootstrapObjects(address: ServerAddress): readonly BootstrapObject[] {
  return [...namespaceObjects, ...priorityClassObjects, ...adminRole, ...kubernetesService(address)];
}

const namespaceObjects = ["default", "kube-system", "kube-public", "kube-node-lease"].map((name) => ({
  resource: namespaces,
  object: { metadata: { name } },
}));

const priorityClassObjects = [
  {
    name: "system-cluster-critical",
    value: 2_000_000_000,
    description: "For Pods a cluster cannot do without.",
  },
  { name: "system-node-critical", value: 2_000_001_000, description: "For Pods a node cannot do without." },
].map(({ name, value, description }) => ({
  resource: priorityClasses,
  object: { metadata: { name }, value, description, preemptionPolicy: "PreemptLowerPriority" },
}));

const adminRole = [
  {
    resource: clusterRoles,
    object: {
      metadata: { name: "cluster-admin" },
      rules: [
        { apiGroups: ["*"], resources: ["*"], verbs: ["*"] },
        { nonResourceURLs: ["*"], verbs: ["*"] },
      ],
    },
  },
  {
    resource: clusterRoleBindings,
    object: {
      metadata: { name: "cluster-admin" },
      roleRef: { apiGroup: rbac.group, kind: "ClusterRole", name: "cluster-admin" },
      subjects: [{ apiGroup: rbac.group, kind: "Group", name: "system:masters" }],
    },
  },
];

function kubernetesService({ host, port }: ServerAddress): readonly BootstrapObject[] {
  const metadata = {
    name: "kubernetes",
    namespace: "default",
    labels: { component: "apiserver", provider: "kubernetes" },
  };
  const sliceLabels = { "kubernetes.io/service-name": "kubernetes" };
  return [
    {
      resource: services,
      object: {
        metadata,
        spec: {
          clusterIP: firstAddress,
          ports: [{ name: "https", port: 443, protocol: "TCP", targetPort: port }],
        },
      },
    },
    {
      resource: endpoints,
      object: {
        metadata: { name: "kubernetes", namespace: "default" },
        subsets: [{ addresses: [{ ip: host }], ports: [{ name: "https", port, protocol: "TCP" }] }],
      },
    },
    {
      resource: endpointSlices,
      object: {
        metadata: { name: "kubernetes", namespace: "default", labels: sliceLabels },
        addressType: "IPv4",
        endpoints: [{ addresses: [host], conditions: { ready: true } }],
        ports: [{ name: "https", port, protocol: "TCP" }],
      },
    },
  ];
}
