import type { ObjectReference, Pod } from "../../api/generated/core-v1.ts";
import { controllerOf } from "../../api/owner-references.ts";
import type { Choice } from "../../decisions/downscale/choose-victims.ts";
import { protectionLimitOf } from "../../api/pod-protection.ts";
import { holdEndMessage, limitMessage, unreadableMessage } from "../../decisions/explain/protection-text.ts";
import { type HeldRemoval, heldMessage } from "../../decisions/replicas/held-removal.ts";
import type { HoldEnd } from "../../decisions/replicas/replica-set-action.ts";
import { removalReason } from "../../decisions/explain/removal-reason.ts";
import { invalidSpreadMessage } from "../../decisions/explain/spread-annotation.ts";
import { removalSummary } from "../../decisions/explain/removal-summary.ts";
import type { DecidedPod } from "../../decisions/downscale/reason.ts";
import type { ReplicaOwner } from "../../decisions/replicas/replica-owner.ts";
import { type EventDraft, type EventRecorder, referenceTo } from "../../machinery/events/event-draft.ts";
import type { Resource } from "../../api/resource.ts";

/** Records events of an owner about its Pods; those about protection are recorded for its controller, too, where people look. */
export interface ReplicaEvents {
  created(pod: Pod): void;
  createFailed(message: string): void;
  /** Summarizes a decision to delete Pods that are too many for an event each. */
  removing(choice: Choice): void;
  deleted(victim: DecidedPod): void;
  deleteFailed(message: string): void;
  /** Reports an invalid scale-down annotation when it would have had an effect. */
  invalidSpread(value: unknown): void;
  /** Reports an order that makes no sense when it would have had an effect. */
  invalidOrder(problem: string): void;
  /** A removal begins to be held back. */
  removalHeld(held: HeldRemoval): void;
  holdEnded(because: HoldEnd): void;
  /** The limit of their protection has come for these Pods: they go. */
  limitReached(choice: Choice): void;
  /** Reports the Pods whose annotation protects them from nothing, because it cannot be read. */
  unreadableProtection(pods: readonly Pod[]): void;
}

/** Uses the texts of kube-controller-manager, followed by the reason why a Pod was chosen. */
export function replicaEventsOf(
  owner: ReplicaOwner,
  resource: Resource,
  events: EventRecorder,
): ReplicaEvents {
  const regarding = referenceTo(resource, owner);
  const record = (type: EventDraft["type"], reason: string, message: string) =>
    events.record({ regarding, type, reason, message });
  const tellBoth: typeof record = (type, reason, message) => {
    for (const each of [regarding, ...controllerReferenceOf(owner)])
      events.record({ regarding: each, type, reason, message });
  };
  return {
    created: ({ metadata }) => record("Normal", "SuccessfulCreate", `Created pod: ${metadata.name}`),
    createFailed: (message) => record("Warning", "FailedCreate", `Error creating: ${message}`),
    removing(choice) {
      const message = removalSummary(choice);
      if (message === undefined) return;
      events.record({ regarding, type: "Normal", reason: "DeletingPods", message, isSummary: true });
    },
    deleted(victim) {
      const { name } = victim.pod.metadata;
      record("Normal", "SuccessfulDelete", `Deleted pod: ${name} (${removalReason(victim)})`);
    },
    deleteFailed: (message) => record("Warning", "FailedDelete", `Error deleting: ${message}`),
    invalidSpread: (value) => record("Warning", "InvalidScaleDownSpread", invalidSpreadMessage(value)),
    invalidOrder: (problem) => record("Warning", "InvalidRemovalOrder", problem),
    removalHeld(held) {
      tellBoth("Normal", "RemovalHeld", heldMessage(held));
      const { problem } = protectionLimitOf(owner);
      if (problem !== undefined) tellBoth("Warning", "InvalidProtectionLimit", problem);
    },
    holdEnded: (because) => tellBoth("Normal", "RemovalHoldEnded", holdEndMessage(because)),
    limitReached: ({ victims }) =>
      tellBoth("Warning", "ProtectionLimitReached", limitMessage(owner, victims)),
    unreadableProtection: (pods) => tellBoth("Warning", "InvalidProtection", unreadableMessage(pods)),
  };
}

function controllerReferenceOf(owner: ReplicaOwner): readonly ObjectReference[] {
  const controller = controllerOf(owner);
  if (controller === undefined) return [];
  const { apiVersion, kind, name, uid } = controller;
  const { namespace } = owner.metadata;
  return [{ apiVersion, kind, ...(namespace !== undefined && { namespace }), name, uid }];
}
