import { leases, nodes, pods } from "../../../api/resources.ts";
import { type Component, controllerComponent } from "../../../machinery/component/component.ts";
import { eventRecorderFor } from "../../../machinery/events/event-recorder.ts";
import { nodeLifecycleController } from "./node-lifecycle-controller.ts";
import { podGcController } from "./pod-gc-controller.ts";
import { taintEvictionController } from "./taint-eviction-controller.ts";

/** Monitors nodes, and evicts the Pods of those that are lost. */
export const nodeLifecycle: Component = {
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
