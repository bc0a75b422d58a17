import type { ClusterEvent, ClusterEventType } from "./cluster-event.ts";
import type { PodInfo } from "./objects/pod-info.ts";
import type { ClusterView } from "./view/cluster-view.ts";

/** The events that may make a Pod schedulable that a plugin rejected (upstream: EventsToRegister). */
export interface QueueingHints {
  /** An event of any other type cannot help. */
  readonly events: ReadonlySet<ClusterEventType>;
  /** Whether a registered event may help a waiting Pod (upstream: QueueingHintFn); when in doubt, it may. */
  readonly isHelpful: (waiting: PodInfo, event: ClusterEvent, cluster: ClusterView) => boolean;
  /**
   * Whether an event of another object helps all Pods of a template or none, so that one of them need be asked (see
   * `perTemplate` for what templates have in common). Absent: each is asked.
   */
  readonly isPerTemplate?: boolean;
}

/** Hints of a plugin that registers for these events; without a function, each of them may help. */
export function queueingHints(
  events: readonly ClusterEventType[],
  isHelpful: QueueingHints["isHelpful"] = () => true,
): QueueingHints {
  return { events: new Set(events), isHelpful };
}

/** Hints of a plugin that cannot tell Pods of one template apart. */
export function templateHints(
  events: readonly ClusterEventType[],
  isHelpful?: QueueingHints["isHelpful"],
): QueueingHints {
  return { ...queueingHints(events, isHelpful), isPerTemplate: true };
}

/** Hints of a plugin whose rejections no event resolves: the Pod is only tried again after a long wait. */
export const noHints: QueueingHints = queueingHints([]);
