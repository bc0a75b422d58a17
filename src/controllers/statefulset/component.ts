import type { FeatureGates } from "../../api/feature-gates.ts";
import { controllerRevisions, persistentVolumeClaims, pods, statefulSets } from "../../api/resources.ts";
import { type Component, controllerComponent } from "../../machinery/component/component.ts";
import type { DecisionLog } from "../../machinery/diagnostics/decision-log.ts";
import type { SetDeletion, SetDeletionRecord } from "../../decisions/explain/set-deletion-record.ts";
import { eventRecorderFor } from "../../machinery/events/event-recorder.ts";
import { statefulSetController } from "./controller.ts";

/** Runs StatefulSets, and logs which Pods they delete. */
export function statefulSetComponent(
  gates: () => FeatureGates,
  deletions?: DecisionLog<SetDeletion, SetDeletionRecord>,
): Component {
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
        deletions,
        events: eventRecorderFor(environment, "statefulset-controller"),
      });
    },
  });
}
