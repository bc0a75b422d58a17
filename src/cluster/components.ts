import type { FeatureGates } from "../api/feature-gates.ts";
import {
  configMaps,
  deployments,
  namespaces,
  nodes,
  pods,
  replicaSets,
  replicationControllers,
  serviceAccounts,
} from "../api/resources.ts";
import type { DecisionRecords } from "../controllers/decision-records.ts";
import { deploymentController } from "../controllers/deployment/controller.ts";
import type { RolloutRecords } from "../controllers/deployment/rollout-records.ts";
import { replicaSetController, replicationManager } from "../controllers/replicaset/controller.ts";
import type { Client } from "../machinery/client/client.ts";
import type { Clock } from "../machinery/clock/clock.ts";
import type { ControllerSpec } from "../machinery/controller.ts";
import { ClientEventRecorder } from "../machinery/events/event-recorder.ts";
import type { Logger } from "../machinery/log.ts";
import type { Metrics } from "../machinery/metrics/metrics.ts";
import type { Random } from "../machinery/random/random.ts";
import type { ServedResource } from "./apiserver/served-resource.ts";
import { garbageCollector } from "./housekeeping/garbage-collector/garbage-collector.ts";
import { inEveryNamespace } from "./housekeeping/in-every-namespace.ts";
import { namespaceController } from "./housekeeping/namespaces/namespace-controller.ts";
import { standInBinder } from "./housekeeping/stand-in-binder.ts";
import type { Informers } from "./informers.ts";
import { kubeletController } from "./kubelet/kubelet.ts";
import type { Store } from "./store/store.ts";

/** What the parts of a cluster are made from. */
export interface ComponentDependencies {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly informers: Informers;
  readonly store: Store;
  readonly resources: readonly ServedResource[];
  /** Of the controllers; the API server has its own. */
  readonly gates: () => FeatureGates;
  /** What clients of the API server trust, as PEM; empty when it is reached in process only. */
  readonly caBundle: string;
  /** Where decisions are kept for those who ask why. */
  readonly removals: DecisionRecords;
  readonly rollouts: RolloutRecords;
}

/** Every controller of the embedded cluster, one line each. */
export function components(deps: ComponentDependencies): readonly ControllerSpec[] {
  const { client, clock, informers, store } = deps;
  const recorder = (component: string) =>
    new ClientEventRecorder({ ...deps, random: deps.random.fork(component), component });
  const of = {
    pods: informers.of(pods),
    nodes: informers.of(nodes),
    namespaces: informers.of(namespaces),
    serviceAccounts: informers.of(serviceAccounts),
    configMaps: informers.of(configMaps),
    deployments: informers.of(deployments),
    replicaSets: informers.of(replicaSets),
    replicationControllers: informers.of(replicationControllers),
  };
  const replicas = { ...deps, pods: of.pods, records: deps.removals };
  return [
    deploymentController({
      ...deps,
      ...of,
      events: recorder("deployment-controller"),
      records: deps.rollouts,
    }),
    replicaSetController({ ...replicas, owners: of.replicaSets, events: recorder("replicaset-controller") }),
    replicationManager({
      ...replicas,
      owners: of.replicationControllers,
      events: recorder("replication-controller"),
    }),
    garbageCollector({ client, store, collected: collected(deps.resources) }),
    namespaceController({ client, clock, namespaces: of.namespaces, contents: contents(deps.resources) }),
    inEveryNamespace(defaultServiceAccount, {
      client,
      namespaces: of.namespaces,
      objects: of.serviceAccounts,
    }),
    inEveryNamespace(rootCertificate(deps.caBundle), {
      client,
      namespaces: of.namespaces,
      objects: of.configMaps,
    }),
    standInBinder({ client, pods: of.pods, nodes: of.nodes, events: recorder("default-scheduler") }),
    kubeletController({ client, clock, pods: of.pods, nodes: of.nodes, events: recorder("kubelet") }),
  ];
}

const defaultServiceAccount = {
  controller: "service-account",
  resource: serviceAccounts,
  name: "default",
  content: {},
};

function rootCertificate(caBundle: string) {
  return {
    controller: "root-ca",
    resource: configMaps,
    name: "kube-root-ca.crt",
    content: { data: { "ca.crt": caBundle } },
  };
}

/** Events belong to nobody; a second view of a collection is not collected twice. */
function collected(resources: readonly ServedResource[]) {
  return distinctCollections(resources)
    .filter(({ collection }) => collection !== "events")
    .map((resource) => ({ collection: resource.collection, resource }));
}

/** What goes with its namespace: Pods are emptied first, by the controller itself. */
function contents(resources: readonly ServedResource[]) {
  return distinctCollections(resources).filter(
    ({ namespaced, verbs, plural }) => namespaced && verbs.includes("deletecollection") && plural !== "pods",
  );
}

function distinctCollections(resources: readonly ServedResource[]): readonly ServedResource[] {
  const first = new Map<string, ServedResource>();
  for (const resource of resources) {
    if (resource.verbs.includes("list") && resource.conversion === undefined)
      first.set(resource.collection, resource);
  }
  return [...first.values()];
}
