import { namespaces, nodes, persistentVolumeClaims, pods } from "../../api/resources.ts";
import { type Component, controllerComponent } from "../../machinery/component/component.ts";
import { eventRecorderFor } from "../../machinery/events/event-recorder.ts";
import { kubeletController } from "./kubelet.ts";
import { nodeStatusController } from "./nodes/node-status-controller.ts";

/** Runs Pods on simulated nodes, and reports the state of those. */
export const kubelet: Component = {
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
      claims: informers.of(persistentVolumeClaims),
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
