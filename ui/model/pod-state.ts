import type { Pod } from "../../src/api/generated/core-v1.ts";
import { isBeingDeleted } from "../../src/api/object.ts";
import { isReady } from "../../src/api/pod-state.ts";

/** What a Pod is doing, as cells and counts show it. */
export type ShownState =
  | "unscheduled"
  | "starting"
  | "ready"
  | "terminating"
  | "failed"
  | "succeeded"
  | "unknown";

/** The states in the order of a Pod's life, with the letter that stands for each beside its pattern. */
export const shownStates: readonly {
  readonly state: ShownState;
  readonly letter: string;
  readonly text: string;
}[] = [
  { state: "unscheduled", letter: "P", text: "pending, no node" },
  { state: "starting", letter: "S", text: "starting" },
  { state: "ready", letter: "", text: "ready" },
  { state: "terminating", letter: "T", text: "terminating" },
  { state: "failed", letter: "F", text: "failed" },
  { state: "succeeded", letter: "C", text: "completed" },
  { state: "unknown", letter: "?", text: "unknown" },
];

const byState = new Map(shownStates.map((each) => [each.state, each]));

/** The letter and the words of a state. */
export function podStateText(state: ShownState): { readonly letter: string; readonly text: string } {
  return byState.get(state) ?? { letter: "?", text: state };
}

/** The state of a Pod: the end of its life is looked at first, since a Pod that ends may still be ready. */
export function shownStateOf(pod: Pod): ShownState {
  const phase = pod.status?.phase;
  if (phase === "Failed") return "failed";
  if (phase === "Succeeded") return "succeeded";
  if (isBeingDeleted(pod)) return "terminating";
  if (phase === "Unknown") return "unknown";
  if ((pod.spec?.nodeName ?? "") === "") return "unscheduled";
  return isReady(pod) ? "ready" : "starting";
}

export type PodStateCounts = Readonly<Record<ShownState, number>>;

/** How many Pods are in each state. */
export function countPods(pods: Iterable<Pod>): PodStateCounts {
  const counts = {
    unscheduled: 0,
    starting: 0,
    ready: 0,
    terminating: 0,
    failed: 0,
    succeeded: 0,
    unknown: 0,
  };
  for (const pod of pods) counts[shownStateOf(pod)]++;
  return counts;
}
