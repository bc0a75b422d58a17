import {
  configMaps,
  deployments,
  namespaces,
  nodes,
  podDisruptionBudgets,
  pods,
  replicaSets,
  replicationControllers,
  resourceQuotas,
  serviceAccounts,
  statefulSets,
} from "../api/resources.ts";
import { workloadControllers, type WorkloadControllersOptions } from "../controllers/workload-controllers.ts";
import { type Component, controllerComponent } from "../machinery/component/component.ts";
import { eventRecorderFor } from "../machinery/events/event-recorder.ts";
import type { SchedulerConfig } from "../scheduler/configuration/scheduler-config.ts";
import { createScheduler } from "../scheduler/create-scheduler.ts";
import type { PlacementLog } from "../scheduler/records/placement-log.ts";
import type { ServedResource } from "./apiserver/served-resource.ts";
import { disruptionController } from "./housekeeping/disruption/disruption-controller.ts";
import { staleDisruptionController } from "./housekeeping/disruption/stale-disruption.ts";
import { garbageCollector } from "./housekeeping/garbage-collector/garbage-collector.ts";
import { namespaceController } from "./housekeeping/namespaces/namespace-controller.ts";
import { nodeLifecycleController } from "./housekeeping/nodes/node-lifecycle-controller.ts";
import { objectPerNamespaceController } from "./housekeeping/object-per-namespace.ts";
import { resourceQuotaController } from "./housekeeping/resource-quota/resource-quota-controller.ts";
import { kubeletController } from "./kubelet/kubelet.ts";
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
  return [...workloadControllers(options), ...housekeeping(options), kubelet, scheduler(options)];
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
    disruption,
    controllerComponent({
      name: "node-lifecycle",
      create: ({ client, informers }) => nodeLifecycleController({ client, nodes: informers.of(nodes) }),
    }),
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

const kubelet = controllerComponent({
  name: "kubelet",
  kinds: [pods, nodes],
  create: (environment) => {
    const { client, clock, informers } = environment;
    return kubeletController({
      client,
      clock,
      pods: informers.of(pods),
      nodes: informers.of(nodes),
      events: eventRecorderFor(environment, "kubelet"),
    });
  },
});

function scheduler({ schedulerConfig, placements }: ClusterComponentsOptions): Component {
  return {
    name: "scheduler",
    kinds: [pods],
    start(environment) {
      const { client, clock, random, log, metrics, informers, signal } = environment;
      const created = createScheduler({
        client,
        clock,
        random,
        log,
        metrics,
        informers,
        config: schedulerConfig,
        records: placements,
        recorder: (schedulerName) => eventRecorderFor(environment, schedulerName),
        claims: "ignored",
      });
      return created.run(signal);
    },
  };
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
