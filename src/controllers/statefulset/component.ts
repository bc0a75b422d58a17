import type { FeatureGates } from "../../api/feature-gates.ts";
import { controllerRevisions, persistentVolumeClaims, pods, statefulSets } from "../../api/resources.ts";
import { type Component, controllerComponent } from "../../machinery/component/component.ts";
import { eventRecorderFor } from "../../machinery/events/event-recorder.ts";
import { statefulSetController } from "./controller.ts";

/** Runs StatefulSets. */
export function statefulSetComponent(gates: () => FeatureGates): Component {
  return controllerComponent({
    name: "statefulset",
    kinds: [statefulSets],
    create: (environment) => {
      const { client, clock, log, metrics, informers } = environment;
      return statefulSetController({
        client,
        clock,
        log,
        metrics,
        gates,
        statefulSets: informers.of(statefulSets),
        pods: informers.of(pods),
        claims: informers.of(persistentVolumeClaims),
        revisions: informers.of(controllerRevisions),
        events: eventRecorderFor(environment, "statefulset-controller"),
      });
    },
  });
}
