import { serviceNameLabel } from "../../../api/well-known.ts";
import { deepEqual } from "../../../api/deep-equal.ts";
import type { EndpointSlice } from "../../../api/generated/discovery-v1.ts";
import type { Service } from "../../../api/generated/core-v1.ts";
import { isBeingDeleted } from "../../../api/object.ts";
import { controllerReference, isControlledBy } from "../../../api/owner-references.ts";
import { endpointSlices, services as serviceResource } from "../../../api/resources.ts";
import { isNotFound } from "../../../machinery/client/api-error.ts";
import type { Client } from "../../../machinery/client/client.ts";
import { type ControllerSpec, done, watching } from "../../../machinery/controller.ts";
import type { Informer } from "../../../machinery/informer/informer.ts";
import { ReadYourWrites } from "../../../machinery/read-your-writes.ts";
import { planSlices, type SliceContent, type SlicePlan } from "./plan-slices.ts";
import {
  endpointsOf,
  hasSelector,
  indexServicePods,
  labelsOfEndpoints,
  type ServicePods,
  watchServicePods,
} from "./service-pods.ts";

export interface EndpointSliceDependencies extends ServicePods {
  readonly client: Client;
  readonly slices: Informer<EndpointSlice>;
}

const managedByLabel = "endpointslice.kubernetes.io/managed-by";
const manager = "endpointslice-controller.k8s.io";
const byService = "service";

/** Keeps the EndpointSlices of Services with a selector in line with their Pods. */
export function endpointSliceController(deps: EndpointSliceDependencies): ControllerSpec {
  const { client, services, pods, nodes, slices } = deps;
  indexServicePods(deps);
  slices.addIndex(byService, (slice) => (isOurs(slice) ? [serviceKeyOf(slice)] : []));
  const written = new ReadYourWrites([slices]);

  return {
    name: "endpoint-slice",
    workers: 2,
    written,
    watches: [
      ...watchServicePods({ services, pods }),
      watching(slices, (queue) => {
        const enqueue = (slice: EndpointSlice) => {
          if (isOurs(slice)) queue.add(serviceKeyOf(slice));
        };
        return { updated: (_old, slice) => enqueue(slice), deleted: enqueue };
      }),
      nodes,
    ],
    ignores: isNotFound,

    async reconcile(key, signal) {
      const service = services.get(key);
      // The garbage collector removes the slices of a Service that is gone, or is being deleted in the foreground.
      if (service === undefined || isBeingDeleted(service) || !hasSelector(service)) return done;
      const reconciled = { key, uid: service.metadata.uid };
      const known = slices.byIndex(byService, key);
      const own = known.filter((slice) => isControlledBy(slice, service.metadata.uid));
      const plan = planSlices(endpointsOf(service, deps), own);
      // Slices of an earlier Service with the same name.
      const others = known.filter((slice) => !own.includes(slice));
      for (const content of plan.create) {
        const { metadata } = await client.create(endpointSlices, draftOf(service, content), { signal });
        written.record(reconciled, endpointSlices, metadata.resourceVersion);
      }
      for (const { slice, content } of updatesOf(plan, own, labelsOf(service))) {
        const { metadata } = await client.update(endpointSlices, { ...slice, ...content }, { signal });
        written.record(reconciled, endpointSlices, metadata.resourceVersion);
      }
      for (const { metadata } of [...plan.remove, ...others])
        await client.delete(endpointSlices, metadata, { preconditions: { uid: metadata.uid }, signal });
      return done;
    },
  };
}

/** Returns the slices whose endpoints or labels have to be written. */
function updatesOf({ update, remove }: SlicePlan, own: readonly EndpointSlice[], labels: Labels) {
  const others = own.filter(
    (slice) =>
      !remove.includes(slice) &&
      !update.some((each) => each.slice === slice) &&
      !deepEqual(slice.metadata.labels ?? {}, labels),
  );
  const relabelled = (slice: EndpointSlice): EndpointSlice => ({
    ...slice,
    metadata: { ...slice.metadata, labels },
  });
  return [
    ...update.map(({ slice, content }) => ({ slice: relabelled(slice), content })),
    ...others.map((slice) => ({ slice: relabelled(slice), content: {} })),
  ];
}

type Labels = Readonly<Record<string, string>>;

function draftOf(service: Service, { endpoints, ports }: SliceContent) {
  const { name, namespace } = service.metadata;
  return {
    metadata: {
      generateName: `${name}-`,
      ...(namespace !== undefined && { namespace }),
      labels: labelsOf(service),
      ownerReferences: [controllerReference(serviceResource, service)],
    },
    addressType: "IPv4",
    endpoints,
    ports,
  };
}

function labelsOf(service: Service) {
  const { name } = service.metadata;
  return { ...labelsOfEndpoints(service), [serviceNameLabel]: name, [managedByLabel]: manager };
}

function isOurs({ metadata }: EndpointSlice): boolean {
  return metadata.labels?.[managedByLabel] === manager;
}

function serviceKeyOf({ metadata }: EndpointSlice): string {
  return `${metadata.namespace}/${metadata.labels?.[serviceNameLabel]}`;
}
