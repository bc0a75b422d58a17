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
import type { FindCustomController } from "./pod-controllers.ts";
import { staleDisruptionController } from "./stale-disruption.ts";

/**
 * Returns the component that keeps the status of PodDisruptionBudgets, and removes stale DisruptionTarget conditions. It
 * reads the custom kinds when it is started.
 */
export function disruption(custom: () => FindCustomController): Component {
  const budgets = disruptionBudgets(custom);
  return {
    name: "disruption",
    kinds: [podDisruptionBudgets],
    async start(environment) {
      await Promise.all([budgets.start(environment), staleDisruptions.start(environment)]);
    },
  };
}

const staleDisruptions = controllerComponent({
  name: "stale-pod-disruption",
  create: ({ client, clock, informers }) =>
    staleDisruptionController({ client, clock, pods: informers.of(pods) }),
});

function disruptionBudgets(custom: () => FindCustomController): Component {
  return controllerComponent({
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
        customController: custom(),
      });
    },
  });
}
