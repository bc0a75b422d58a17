import { configMaps, namespaces, nodes, pods, serviceAccounts } from "../api/resources.ts";
import {
  type ControllerPlan,
  type WorkloadDependencies,
  workloadControllers,
} from "../controllers/workload-controllers.ts";
import { eventRecorderFor } from "../machinery/events/event-recorder.ts";
import type { ServedResource } from "./apiserver/served-resource.ts";
import { garbageCollector } from "./housekeeping/garbage-collector/garbage-collector.ts";
import { objectPerNamespaceController } from "./housekeeping/object-per-namespace.ts";
import { namespaceController } from "./housekeeping/namespaces/namespace-controller.ts";
import { kubeletController } from "./kubelet/kubelet.ts";
import type { Store } from "./store/store.ts";

/** What the parts of a cluster are made from. */
export interface ComponentDependencies extends WorkloadDependencies {
  readonly store: Store;
  readonly resources: readonly ServedResource[];
  /** What clients of the API server trust, as PEM; empty when it is reached in process only. */
  readonly caBundle: string;
}

const defaultServiceAccount = {
  controller: "service-account",
  resource: serviceAccounts,
  name: "default",
  content: {},
};

const rootCertificateController = "root-ca";

/** Every controller of the embedded cluster; the scheduler is a part of its own. */
export const componentPlans: readonly ControllerPlan<ComponentDependencies>[] = [
  ...workloadControllers,
  {
    name: "garbage-collector",
    create: ({ client, store, resources }) =>
      garbageCollector({ client, store, collected: collected(resources) }),
  },
  {
    name: "namespace",
    create: ({ client, clock, informers, resources }) =>
      namespaceController({
        client,
        clock,
        namespaces: informers.of(namespaces),
        contents: contents(resources),
      }),
  },
  {
    name: defaultServiceAccount.controller,
    create: ({ client, informers }) =>
      objectPerNamespaceController(defaultServiceAccount, {
        client,
        namespaces: informers.of(namespaces),
        objects: informers.of(serviceAccounts),
      }),
  },
  {
    name: rootCertificateController,
    create: ({ client, informers, caBundle }) =>
      objectPerNamespaceController(rootCertificate(caBundle), {
        client,
        namespaces: informers.of(namespaces),
        objects: informers.of(configMaps),
      }),
  },
  {
    name: "kubelet",
    create: (deps) =>
      kubeletController({
        ...deps,
        pods: deps.informers.of(pods),
        nodes: deps.informers.of(nodes),
        events: eventRecorderFor(deps, "kubelet"),
      }),
  },
];

function rootCertificate(caBundle: string) {
  return {
    controller: rootCertificateController,
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
