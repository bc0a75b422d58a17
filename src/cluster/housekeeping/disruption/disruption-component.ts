import {
  deployments,
  podDisruptionBudgets,
  pods,
  replicaSets,
  replicationControllers,
  statefulSets,
} from "../../../api/resources.ts";
import { type Component, controllerComponent } from "../../../machinery/component/component.ts";
import { eventRecorderFor } from "../../../machinery/events/event-recorder.ts";
import { disruptionController } from "./disruption-controller.ts";
import { staleDisruptionController } from "./stale-disruption.ts";

/** Keeps the status of PodDisruptionBudgets, and removes stale DisruptionTarget conditions. */
export const disruption: Component = {
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
