import { configMaps, namespaces, nodes, pods, serviceAccounts } from "../api/resources.ts";
import { type WorkloadDependencies, workloadControllers } from "../controllers/workload-controllers.ts";
import type { ControllerSpec } from "../machinery/controller.ts";
import { ClientEventRecorder } from "../machinery/events/event-recorder.ts";
import type { ServedResource } from "./apiserver/served-resource.ts";
import { garbageCollector } from "./housekeeping/garbage-collector/garbage-collector.ts";
import { inEveryNamespace } from "./housekeeping/in-every-namespace.ts";
import { namespaceController } from "./housekeeping/namespaces/namespace-controller.ts";
import { standInBinder } from "./housekeeping/stand-in-binder.ts";
import { kubeletController } from "./kubelet/kubelet.ts";
import type { Store } from "./store/store.ts";

/** What the parts of a cluster are made from. */
export interface ComponentDependencies extends WorkloadDependencies {
  readonly store: Store;
  readonly resources: readonly ServedResource[];
  /** What clients of the API server trust, as PEM; empty when it is reached in process only. */
  readonly caBundle: string;
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
  };
  return [
    ...workloadControllers(deps),
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
