import { endpoints, endpointSlices, nodes, pods, services } from "../../../api/resources.ts";
import { controllerComponent } from "../../../machinery/component/component.ts";
import { endpointSliceController } from "./endpoint-slice-controller.ts";
import { endpointsController } from "./endpoints-controller.ts";

/** Writes the EndpointSlices of Services. */
export const endpointSlice = controllerComponent({
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

/** Writes the Endpoints of Services, for clients that do not read EndpointSlices. */
export const endpoint = controllerComponent({
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
