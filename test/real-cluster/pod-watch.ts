import type { Pod } from "../../src/api/generated/core-v1.ts";
import { isBeingDeleted } from "../../src/api/object.ts";
import { isTerminal } from "../../src/api/pod-state.ts";
import { pods } from "../../src/api/resources.ts";
import type { Client } from "../../src/machinery/client/client.ts";

/** What happened to the Pods of a namespace while they were watched; asking throws when the watch did not last. */
export interface PodWatch {
  /** The most Pods there were at any time: running ones, and terminating ones that have not ended. */
  readonly mostPods: () => number;
  /** The most of them that were not being deleted. */
  readonly mostActive: () => number;
  /** Pods that were deleted, in order. */
  readonly deleted: () => readonly string[];
  /** Every Pod that was created and every one whose deletion began, in order. */
  readonly order: () => readonly PodChange[];
  /** Every state that was seen of a Pod, in order. */
  readonly history: () => readonly SeenPod[];
  /** Forgets the most there were. */
  readonly startAnew: () => void;
  readonly stop: () => Promise<void>;
}

export interface PodChange {
  readonly what: "created" | "deleted";
  readonly name: string;
  readonly uid: string;
}

export interface SeenPod {
  readonly pod: Pod;
  readonly isGone: boolean;
}

/** Follows the Pods of a namespace, which must be empty, event by event. */
export function watchPods(client: Client, namespace: string): PodWatch {
  const ending = new AbortController();
  const alive = new Map<string, Pod>();
  const deleted = new Set<string>();
  const order: PodChange[] = [];
  const history: SeenPod[] = [];
  const noted = new Set<string>();
  const note = (what: PodChange["what"], { metadata: { name, uid } }: Pod) => {
    if (!noted.has(`${what} ${uid}`)) order.push({ what, name, uid });
    noted.add(`${what} ${uid}`);
  };
  const most = { pods: 0, active: 0 };
  const follow = async () => {
    for await (const event of client.watch(pods, { namespace, resourceVersion: "0" }, ending.signal)) {
      if (event.type === "BOOKMARK") continue;
      const { object: pod } = event;
      history.push({ pod, isGone: event.type === "DELETED" });
      note("created", pod);
      if (event.type === "DELETED" || isBeingDeleted(pod)) note("deleted", pod);
      if (event.type === "DELETED" || isTerminal(pod)) alive.delete(pod.metadata.uid);
      else alive.set(pod.metadata.uid, pod);
      if (isBeingDeleted(pod)) deleted.add(pod.metadata.name);
      most.pods = Math.max(most.pods, alive.size);
      most.active = Math.max(most.active, [...alive.values()].filter((each) => !isBeingDeleted(each)).length);
    }
  };
  let problem: unknown;
  const following = follow()
    .then(() => (problem = new Error("the watch of the Pods has ended")))
    .catch((error: unknown) => void (problem = error));
  const seen = <T>(value: T): T => {
    if (problem !== undefined) throw problem;
    return value;
  };
  return {
    mostPods: () => seen(most.pods),
    mostActive: () => seen(most.active),
    deleted: () => seen([...deleted]),
    order: () => seen([...order]),
    history: () => seen([...history]),
    startAnew: () => Object.assign(most, { pods: alive.size, active: 0 }),
    async stop() {
      ending.abort(new Error("enough"));
      await following;
    },
  };
}
