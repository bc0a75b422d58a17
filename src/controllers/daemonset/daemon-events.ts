import type { DaemonSet } from "../../api/generated/apps-v1.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import { keyOf } from "../../api/object.ts";
import { daemonSets } from "../../api/resources.ts";
import type { PodDeletion } from "../../decisions/daemon/daemon-action.ts";
import { daemonDeletionReason } from "../../decisions/explain/daemon-reason.ts";
import { type EventDraft, type EventRecorder, referenceTo } from "../../machinery/events/event-draft.ts";

/** Records events of a DaemonSet. */
export interface DaemonEvents {
  created(pod: Pod): void;
  createFailed(message: string): void;
  /** A Pod that has ended was found, and will be deleted. */
  ended(deletion: PodDeletion): void;
  deleted(deletion: PodDeletion): void;
  deleteFailed(message: string): void;
  selectsEverything(): void;
}

/** Uses the texts of kube-controller-manager, followed by the reason why a Pod was deleted. */
export function daemonEventsOf(daemonSet: DaemonSet, events: EventRecorder): DaemonEvents {
  const regarding = referenceTo(daemonSets, daemonSet);
  const record = (type: EventDraft["type"], reason: string, message: string) =>
    events.record({ regarding, type, reason, message });
  return {
    created: ({ metadata }) => record("Normal", "SuccessfulCreate", `Created pod: ${metadata.name}`),
    createFailed: (message) => record("Warning", "FailedCreate", `Error creating: ${message}`),
    ended({ pod, node, because }) {
      const where = `daemon pod ${keyOf(pod)} on node ${node}, will try to`;
      if (because.kind === "failed") record("Warning", "FailedDaemonPod", `Found failed ${where} kill it`);
      if (because.kind === "succeeded")
        record("Normal", "SucceededDaemonPod", `Found succeeded ${where} delete it`);
    },
    deleted(deletion) {
      const { name } = deletion.pod.metadata;
      record("Normal", "SuccessfulDelete", `Deleted pod: ${name} (${daemonDeletionReason(deletion)})`);
    },
    deleteFailed: (message) => record("Warning", "FailedDelete", `Error deleting: ${message}`),
    selectsEverything: () =>
      record(
        "Warning",
        "SelectingAll",
        "This daemon set is selecting all pods. A non-empty selector is required.",
      ),
  };
}
