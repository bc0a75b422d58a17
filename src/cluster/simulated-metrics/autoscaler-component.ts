import { horizontalPodAutoscalers, pods } from "../../api/resources.ts";
import { horizontalPodAutoscalerController } from "../../controllers/horizontal-pod-autoscaler/controller.ts";
import { type Component, controllerComponent } from "../../machinery/component/component.ts";
import { eventRecorderFor } from "../../machinery/events/event-recorder.ts";
import { simulatedMetrics } from "./autoscaler-metrics.ts";
import { loadCheckController } from "./load-check-controller.ts";
import { loadsOfInformers, loadWorkloads } from "./load-objects.ts";

/** Runs the autoscaler, and the controller that reports malformed simulated loads. */
export const horizontalPodAutoscaler: Component = {
  name: "horizontal-pod-autoscaler",
  kinds: [horizontalPodAutoscalers],
  async start(environment) {
    await Promise.all([autoscaler.start(environment), loadCheck.start(environment)]);
  },
};

const autoscaler = controllerComponent({
  name: "horizontal-pod-autoscaler",
  create: (environment) => {
    const { client, clock, log, informers } = environment;
    return horizontalPodAutoscalerController({
      client,
      clock,
      log,
      autoscalers: informers.of(horizontalPodAutoscalers),
      pods: informers.of(pods),
      events: eventRecorderFor(environment, "horizontal-pod-autoscaler"),
      metrics: simulatedMetrics(loadsOfInformers(informers)),
    });
  },
});

const loadCheck = controllerComponent({
  name: "simulated-load",
  create: (environment) =>
    loadCheckController({
      workloads: loadWorkloads.map((resource) => environment.informers.of(resource)),
      events: eventRecorderFor(environment, "simulated-load"),
    }),
});
