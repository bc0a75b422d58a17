import {
  clusterRoles,
  configMaps,
  deployments,
  endpoints,
  endpointSlices,
  leases,
  namespaces,
  nodes,
  podDisruptionBudgets,
  pods,
  replicaSets,
  replicationControllers,
  resourceQuotas,
  serviceAccounts,
  services,
  statefulSets,
} from "../api/resources.ts";
import { batchControllers } from "../controllers/batch-controllers.ts";
import { workloadControllers, type WorkloadControllersOptions } from "../controllers/workload-controllers.ts";
import { type Component, controllerComponent } from "../machinery/component/component.ts";
import { eventRecorderFor } from "../machinery/events/event-recorder.ts";
import type { SchedulerConfig } from "../scheduler/configuration/scheduler-config.ts";
import { spreadDefaultsOf } from "../scheduler/configuration/spread-defaults.ts";
import { CurrentConfig } from "../scheduler/configuration/current-config.ts";
import type { PlacementLog } from "../scheduler/records/placement-log.ts";
import { schedulerComponent } from "../scheduler/scheduler-component.ts";
import type { ServedResource } from "./apiserver/served-resource.ts";
import { clusterRoleAggregationController } from "./housekeeping/cluster-role-aggregation/cluster-role-aggregation-controller.ts";
import { disruptionController } from "./housekeeping/disruption/disruption-controller.ts";
import { staleDisruptionController } from "./housekeeping/disruption/stale-disruption.ts";
import { endpointSliceController } from "./housekeeping/endpoint-slices/endpoint-slice-controller.ts";
import { endpointsController } from "./housekeeping/endpoint-slices/endpoints-controller.ts";
import { garbageCollector } from "./housekeeping/garbage-collector/garbage-collector.ts";
import { namespaceController } from "./housekeeping/namespaces/namespace-controller.ts";
import { nodeLifecycleController } from "./housekeeping/nodes/node-lifecycle-controller.ts";
import { podGcController } from "./housekeeping/nodes/pod-gc-controller.ts";
import { taintEvictionController } from "./housekeeping/nodes/taint-eviction-controller.ts";
import { objectPerNamespaceController } from "./housekeeping/object-per-namespace.ts";
import { resourceQuotaController } from "./housekeeping/resource-quota/resource-quota-controller.ts";
import { horizontalPodAutoscaler } from "./simulated-metrics/autoscaler-component.ts";
import { kubeletController } from "./kubelet/kubelet.ts";
import { nodeStatusController } from "./kubelet/nodes/node-status-controller.ts";
import type { Store } from "./store/store.ts";

/** What the components of a cluster need besides the environment they are started in. */
export interface ClusterComponentsOptions extends WorkloadControllersOptions {
  readonly store: Store;
  /** What the API server serves; read when a component is started. */
  readonly resources: () => readonly ServedResource[];
  /** The certificate authority of the API server, as PEM; empty when clients reach it in process only. */
  readonly caBundle: string;
  readonly schedulerConfig: SchedulerConfig;
  /** Where `/debug/placements` finds placements. */
  readonly placements: PlacementLog;
}

/** Every component of the embedded cluster but the API server. */
export function clusterComponents(options: ClusterComponentsOptions): readonly Component[] {
  return [
    ...workloadControllers({
      spreadDefaults: (name) => spreadDefaultsOf(options.schedulerConfig)(name),
      ...options,
    }),
    ...batchControllers,
    ...housekeeping(options),
    horizontalPodAutoscaler,
    kubelet,
    scheduler(options),
  ];
}

function housekeeping({ store, resources, caBundle }: ClusterComponentsOptions): readonly Component[] {
  return [
    controllerComponent({
      name: "garbage-collector",
      create: ({ client, clock }) =>
        garbageCollector({ client, clock, store, collected: collected(resources()) }),
    }),
    controllerComponent({
      name: "namespace",
      kinds: [namespaces],
      create: ({ client, clock, informers }) =>
        namespaceController({
          client,
          clock,
          namespaces: informers.of(namespaces),
          contents: contents(resources()),
        }),
    }),
    controllerComponent({
      name: "clusterrole-aggregation",
      kinds: [clusterRoles],
      create: ({ client }) => clusterRoleAggregationController({ client, store }),
    }),
    disruption,
    nodeLifecycle,
    endpoint,
    endpointSlice,
    controllerComponent({
      name: "resource-quota",
      kinds: [resourceQuotas],
      create: ({ client, clock }) =>
        resourceQuotaController({ client, clock, store, counted: contentsAndPods(resources()) }),
    }),
    controllerComponent({
      name: "service-account",
      create: ({ client, informers }) =>
        objectPerNamespaceController(
          { controller: "service-account", resource: serviceAccounts, name: "default", content: {} },
          { client, namespaces: informers.of(namespaces), objects: informers.of(serviceAccounts) },
        ),
    }),
    controllerComponent({
      name: "root-ca",
      create: ({ client, informers }) =>
        objectPerNamespaceController(
          {
            controller: "root-ca",
            resource: configMaps,
            name: "kube-root-ca.crt",
            content: { data: { "ca.crt": caBundle } },
          },
          { client, namespaces: informers.of(namespaces), objects: informers.of(configMaps) },
        ),
    }),
  ];
}

/** What watches over nodes, and ends the Pods of those that are lost. */
const nodeLifecycle: Component = {
  name: "node-lifecycle",
  kinds: [],
  async start(environment) {
    await Promise.all(
      [nodeHealth, taintEviction, podGarbageCollector].map((controller) => controller.start(environment)),
    );
  },
};

const nodeHealth = controllerComponent({
  name: "node-lifecycle",
  create: (environment) => {
    const { client, clock, informers } = environment;
    return nodeLifecycleController({
      client,
      clock,
      nodes: informers.of(nodes),
      pods: informers.of(pods),
      leases: informers.of(leases),
      events: eventRecorderFor(environment, "node-controller"),
    });
  },
});

const taintEviction = controllerComponent({
  name: "taint-eviction",
  create: (environment) => {
    const { client, clock, informers } = environment;
    return taintEvictionController({
      client,
      clock,
      nodes: informers.of(nodes),
      pods: informers.of(pods),
      events: eventRecorderFor(environment, "taint-eviction-controller"),
    });
  },
});

const podGarbageCollector = controllerComponent({
  name: "pod-garbage-collector",
  create: ({ client, clock, informers }) =>
    podGcController({ client, clock, nodes: informers.of(nodes), pods: informers.of(pods) }),
});

const endpointSlice = controllerComponent({
  name: "endpoint-slice",
  kinds: [endpointSlices],
  create: ({ client, informers }) =>
    endpointSliceController({
      client,
      services: informers.of(services),
      pods: informers.of(pods),
      nodes: informers.of(nodes),
      slices: informers.of(endpointSlices),
    }),
});

const endpoint = controllerComponent({
  name: "endpoint",
  kinds: [endpoints],
  create: ({ client, informers }) =>
    endpointsController({
      client,
      services: informers.of(services),
      pods: informers.of(pods),
      nodes: informers.of(nodes),
      endpoints: informers.of(endpoints),
    }),
});

const disruption: Component = {
  name: "disruption",
  kinds: [podDisruptionBudgets],
  async start(environment) {
    await Promise.all([disruptionBudgets.start(environment), staleDisruptions.start(environment)]);
  },
};

const staleDisruptions = controllerComponent({
  name: "stale-pod-disruption",
  create: ({ client, clock, informers }) =>
    staleDisruptionController({ client, clock, pods: informers.of(pods) }),
});

const disruptionBudgets = controllerComponent({
  name: "disruption-budgets",
  create: (environment) => {
    const { client, clock, informers } = environment;
    return disruptionController({
      client,
      clock,
      events: eventRecorderFor(environment, "controllermanager"),
      budgets: informers.of(podDisruptionBudgets),
      pods: informers.of(pods),
      deployments: informers.of(deployments),
      replicaSets: informers.of(replicaSets),
      replicationControllers: informers.of(replicationControllers),
      statefulSets: informers.of(statefulSets),
    });
  },
});

const kubelet: Component = {
  name: "kubelet",
  kinds: [pods, nodes],
  async start(environment) {
    await Promise.all([podLifecycles.start(environment), nodeStatuses.start(environment)]);
  },
};

const podLifecycles = controllerComponent({
  name: "kubelet",
  create: (environment) => {
    const { client, clock, informers } = environment;
    return kubeletController({
      client,
      clock,
      pods: informers.of(pods),
      nodes: informers.of(nodes),
      namespaces: informers.of(namespaces),
      events: eventRecorderFor(environment, "kubelet"),
    });
  },
});

const nodeStatuses = controllerComponent({
  name: "kubelet-node-status",
  create: (environment) => {
    const { client, clock, informers } = environment;
    const events = eventRecorderFor(environment, "kubelet");
    return nodeStatusController({ client, clock, nodes: informers.of(nodes), events });
  },
});

function scheduler({ schedulerConfig, placements }: ClusterComponentsOptions): Component {
  const config = new CurrentConfig(schedulerConfig);
  return schedulerComponent({ config, records: placements, claims: "ignored" });
}

/** Events have no owners; a second version of a collection is not collected twice. */
function collected(resources: readonly ServedResource[]) {
  return distinctCollections(resources)
    .filter(({ collection }) => collection !== "events")
    .map((resource) => ({ collection: resource.collection, resource }));
}

/** What is deleted with its namespace, but for Pods, which the namespace controller deletes first. */
function contents(resources: readonly ServedResource[]) {
  return distinctCollections(resources).filter(
    ({ namespaced, verbs, plural }) => namespaced && verbs.includes("deletecollection") && plural !== "pods",
  );
}

/** What quotas may count: everything in namespaces. */
function contentsAndPods(resources: readonly ServedResource[]): readonly string[] {
  return distinctCollections(resources)
    .filter(({ namespaced }) => namespaced)
    .map(({ collection }) => collection);
}

function distinctCollections(resources: readonly ServedResource[]): readonly ServedResource[] {
  const first = new Map<string, ServedResource>();
  for (const resource of resources) {
    if (resource.verbs.includes("list") && resource.conversion === undefined)
      first.set(resource.collection, resource);
  }
  return [...first.values()];
}
