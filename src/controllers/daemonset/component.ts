import { controllerRevisions, daemonSets, nodes, pods } from "../../api/resources.ts";
import { type Component, controllerComponent } from "../../machinery/component/component.ts";
import type { DecisionLog } from "../../machinery/diagnostics/decision-log.ts";
import type { SetDeletion, SetDeletionRecord } from "../../decisions/explain/set-deletion-record.ts";
import { eventRecorderFor } from "../../machinery/events/event-recorder.ts";
import { daemonSetController } from "./controller.ts";

/** Runs DaemonSets, and logs which Pods they delete. */
export const daemonSetComponent = (deletions?: DecisionLog<SetDeletion, SetDeletionRecord>): Component =>
  controllerComponent({
    name: "daemonset",
    kinds: [daemonSets],
    create: (environment) => {
      const { client, clock, log, metrics, informers } = environment;
      return daemonSetController({
        client,
        clock,
        log,
        metrics,
        daemonSets: informers.of(daemonSets),
        revisions: informers.of(controllerRevisions),
        pods: informers.of(pods),
        nodes: informers.of(nodes),
        deletions,
        events: eventRecorderFor(environment, "daemonset-controller"),
      });
    },
  });
