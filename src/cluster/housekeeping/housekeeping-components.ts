import {
  clusterRoles,
  configMaps,
  namespaces,
  resourceQuotas,
  serviceAccounts,
} from "../../api/resources.ts";
import { type Component, controllerComponent } from "../../machinery/component/component.ts";
import type { Aggregator } from "../apiserver/aggregation/aggregator.ts";
import { derivedFrom, type KindRegistry } from "../apiserver/kind-registry.ts";
import type { Store } from "../store/store.ts";
import { policyStatusController } from "./admission-policies/policy-status-controller.ts";
import { apiServiceAvailabilityController } from "./api-services/availability-controller.ts";
import { apiServiceRegistrationController } from "./api-services/registration-controller.ts";
import { clusterRoleAggregationController } from "./cluster-role-aggregation/cluster-role-aggregation-controller.ts";
import { customControllers } from "./disruption/custom-controllers.ts";
import { disruption } from "./disruption/disruption-component.ts";
import { endpoint, endpointSlice } from "./endpoint-slices/endpoint-components.ts";
import { garbageCollector } from "./garbage-collector/garbage-collector.ts";
import { namespaceController } from "./namespaces/namespace-controller.ts";
import { nodeLifecycle } from "./nodes/node-lifecycle-component.ts";
import { objectPerNamespaceController } from "./object-per-namespace.ts";
import { resourceQuotaController } from "./resource-quota/resource-quota-controller.ts";
import { namespaceContents } from "./served-collections.ts";
import { persistentVolumeBinder, volumeProtectionComponent } from "./volumes/volume-components.ts";

/** The dependencies of the housekeeping components. */
export interface HousekeepingOptions {
  readonly store: Store;
  /** What the API server serves; read when a component is started. */
  readonly kinds: () => KindRegistry;
  /** The extension API servers; read when a component is started. */
  readonly aggregator: () => Aggregator;
  /** The certificate authority of the API server, as PEM; empty when clients reach it in process only. */
  readonly caBundle: string;
}

/** Returns the components that keep the cluster in order, whatever workloads it has. */
export function housekeeping({
  store,
  kinds,
  aggregator,
  caBundle,
}: HousekeepingOptions): readonly Component[] {
  return [
    controllerComponent({
      name: "garbage-collector",
      create: ({ client, clock }) => garbageCollector({ client, clock, store, kinds: kinds() }),
    }),
    controllerComponent({
      name: "namespace",
      kinds: [namespaces],
      create: ({ client, clock, informers }) =>
        namespaceController({
          client,
          clock,
          namespaces: informers.of(namespaces),
          contents: derivedFrom(kinds(), namespaceContents),
        }),
    }),
    controllerComponent({
      name: "clusterrole-aggregation",
      kinds: [clusterRoles],
      create: ({ client }) => clusterRoleAggregationController({ client, store }),
    }),
    controllerComponent({
      name: "apiservice-registration",
      create: ({ client }) => apiServiceRegistrationController({ client, store, kinds: kinds() }),
    }),
    controllerComponent({
      name: "apiservice-availability",
      create: ({ client, clock }) =>
        apiServiceAvailabilityController({ client, clock, store, aggregator: aggregator() }),
    }),
    controllerComponent({
      name: "validatingadmissionpolicy-status",
      create: ({ client, clock }) => policyStatusController({ client, clock, store, kinds: kinds() }),
    }),
    disruption(() => customControllers(store, kinds())),
    nodeLifecycle,
    endpoint,
    endpointSlice,
    persistentVolumeBinder,
    volumeProtectionComponent,
    controllerComponent({
      name: "resource-quota",
      kinds: [resourceQuotas],
      create: ({ client, clock }) => resourceQuotaController({ client, clock, store, kinds: kinds() }),
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
