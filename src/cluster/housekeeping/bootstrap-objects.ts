import { serviceNameLabel } from "../../api/well-known.ts";
import type { JsonObject } from "../../api/json.ts";
import type { Resource } from "../../api/resource.ts";
import {
  clusterRoles,
  configMaps,
  endpoints,
  endpointSlices,
  namespaces,
  priorityClasses,
  services,
  storageClasses,
} from "../../api/resources.ts";
import { apiServiceName, apiServices, localApiService } from "../apiserver/aggregation/local-api-service.ts";
import { isBuiltInGroup } from "../apiserver/aggregation/local-priorities.ts";
import { defaultClassAnnotation, simulatedProvisioner } from "../../api/volume-names.ts";
import { defaultRoles } from "../apiserver/auth/default-roles.ts";

/** An object that exists in every cluster from the start. */
export interface BootstrapObject {
  readonly resource: Resource;
  readonly object: JsonObject & { readonly metadata: JsonObject & { readonly name: string } };
}

/** The address of the API server, which the `kubernetes` Service has as its endpoint. */
export interface ServerAddress {
  readonly host: string;
  readonly port: number;
  /** The cluster IP of its Service. */
  readonly clusterIP: string;
}

const rbac = { group: "rbac.authorization.k8s.io", version: "v1", namespaced: false };
const roles: Resource = { ...rbac, kind: "Role", plural: "roles", namespaced: true };
const clusterRoleBindings: Resource = { ...rbac, kind: "ClusterRoleBinding", plural: "clusterrolebindings" };

/** The objects of a new cluster, in the order in which they have to be created. */
export function bootstrapObjects(
  address: ServerAddress,
  served: readonly Pick<Resource, "group" | "version">[],
): readonly BootstrapObject[] {
  return [
    ...namespaceObjects,
    ...priorityClassObjects,
    ...storageClassObjects,
    ...kubernetesService(address),
    ...roleObjects,
    ...localApiServices(served),
  ];
}

/** The group whose objects say who has the others: it has no APIService itself. */
const registration = "apiregistration.k8s.io";

function localApiServices(
  served: readonly Pick<Resource, "group" | "version">[],
): readonly BootstrapObject[] {
  const names = new Map(served.map((each) => [apiServiceName(each), each]));
  return [...names.values()]
    .filter(({ group }) => isBuiltInGroup(group) && group !== registration)
    .map((each) => ({
      resource: apiServices,
      object: localApiService(each, "onstart") as unknown as BootstrapObject["object"],
    }));
}

/**
 * What extension API servers read: whom to believe when a request says who asks, and the right to read that. The data
 * change with every start.
 */
export function extensionObjects(
  data: Readonly<Record<string, string>>,
): readonly (BootstrapObject & { readonly isUpdated: boolean })[] {
  const metadata = { name: "extension-apiserver-authentication", namespace: "kube-system" };
  const role = {
    metadata: { ...metadata, name: `${metadata.name}-reader` },
    rules: [
      {
        apiGroups: [""],
        resources: ["configmaps"],
        resourceNames: [metadata.name],
        verbs: ["get", "list", "watch"],
      },
    ],
  };
  return [
    { resource: configMaps, object: { metadata, data }, isUpdated: true },
    { resource: roles, object: role, isUpdated: false },
  ];
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

const storageClassObjects = [
  { name: "standard", volumeBindingMode: "WaitForFirstConsumer", isDefault: true },
  { name: "standard-immediate", volumeBindingMode: "Immediate", isDefault: false },
].map(({ name, volumeBindingMode, isDefault }) => ({
  resource: storageClasses,
  object: {
    metadata: { name, ...(isDefault && { annotations: { [defaultClassAnnotation]: "true" } }) },
    provisioner: simulatedProvisioner,
    reclaimPolicy: "Delete",
    volumeBindingMode,
    allowVolumeExpansion: true,
  },
}));

const aggregationLabel = (role: string) => ({ [`${rbac.group}/aggregate-to-${role}`]: "true" });

const roleObjects: readonly BootstrapObject[] = defaultRoles.flatMap((role) => {
  const { name, rules, groups = [], isAggregated = false, aggregateTo } = role;
  const labels = { "kubernetes.io/bootstrapping": "rbac-defaults" };
  const annotations = { [`${rbac.group}/autoupdate`]: "true" };
  const clusterRoleSelectors = [{ matchLabels: aggregationLabel(name) }];
  const clusterRole = {
    metadata: {
      name,
      labels: { ...labels, ...(aggregateTo !== undefined && aggregationLabel(aggregateTo)) },
      annotations,
    },
    ...(isAggregated && { aggregationRule: { clusterRoleSelectors } }),
    rules: rules as JsonObject["rules"],
  };
  const binding = {
    metadata: { name, labels, annotations },
    roleRef: { apiGroup: rbac.group, kind: "ClusterRole", name },
    subjects: groups.map((group) => ({ apiGroup: rbac.group, kind: "Group", name: group })),
  };
  return [
    { resource: clusterRoles, object: clusterRole },
    ...(groups.length > 0 ? [{ resource: clusterRoleBindings, object: binding }] : []),
  ];
});

function kubernetesService({ host, port, clusterIP }: ServerAddress): readonly BootstrapObject[] {
  const metadata = {
    name: "kubernetes",
    namespace: "default",
    labels: { component: "apiserver", provider: "kubernetes" },
  };
  const sliceLabels = { [serviceNameLabel]: "kubernetes" };
  return [
    {
      resource: services,
      object: {
        metadata,
        spec: {
          clusterIP,
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
