import type { ReplicaSet } from "../api/generated/apps-v1.ts";
import { messageOf } from "../api/message-of.ts";
import { isBeingDeleted, keyOf } from "../api/object.ts";
import type { Instant } from "../api/time.ts";
import { sizeOf } from "../decisions/rollout/counts.ts";
import {
  deferredText,
  type DeferredShrink,
  formatDeferred,
  readDeferred,
} from "../decisions/stock/deferred-shrink.ts";
import { admittedAs, readHeld } from "../decisions/stock/held-shrink.ts";
import { markOf } from "../decisions/stock/mark.ts";
import {
  type ControllerSpec,
  done,
  type KeyQueue,
  type ReconcileResult,
  watching,
} from "../machinery/controller.ts";
import type { PickerConsultant } from "./admission/consult-picker.ts";
import { deploymentNameOf } from "./admission/find-workload.ts";
import { labelHold } from "./admission/label-hold.ts";
import { unmarkAll } from "./admission/steer-removal.ts";
import { decideDeferred, isWanted } from "./decide-deferred.ts";
import { writeDeferral } from "./deferral-label.ts";
import type { SteeringDependencies } from "./dependencies.ts";
import { isStillRight } from "./own-shrinks.ts";

/** A Deployment that does not ask for a decided size for so long does not want it any more. */
const dropAfterMs = 5000;
/** Other ReplicaSets get their size from us after so long: whoever scaled them does not ask twice. */
const finishAfterMs = 2000;
/** A decision whose end could not be written is tried again. */
const retryMs = 1000;
/** Our own watch shows by then that a decision has ended; if it does not, the end was refused. */
const shownMs = 5000;

/** What is known of a ReplicaSet that carries the label. */
interface Tracked {
  readonly text: string;
  readonly deferred: DeferredShrink;
  /** Its size when the label was seen first: another one since then is somebody's later word. */
  readonly size: number;
  readonly since: Instant;
  /** When a scale-down of it was deferred first. */
  readonly firstAt: Instant;
}

/** Decides deferred scale-downs, and ends those that nobody asks for any more. Runs in the copy that leads. */
export function deferralsController(
  deps: SteeringDependencies,
  consultant: PickerConsultant | undefined,
): ControllerSpec {
  const { replicaSets, clock, log, client } = deps;
  const tracked = new Map<string, Tracked>();
  /** The labels that are being decided, by key. */
  const running = new Map<string, string>();
  /** The labels that were decided and that our own watch may still show, by key, and until when. */
  const decided = new Map<string, { readonly text: string; readonly until: Instant }>();
  let queue: KeyQueue | undefined;

  const decide = async (replicaSet: ReplicaSet, { text, deferred }: Tracked, signal: AbortSignal) => {
    const key = keyOf(replicaSet);
    running.set(key, text);
    try {
      const held = await decideDeferred(replicaSet, deferred, { deps, consultant, signal });
      await labelHold(replicaSets.get(key) ?? replicaSet, held, { client, signal });
      if (!isWanted({ workload: { replicaSet }, size: deferred.size }, deps))
        await forget(replicaSet, { deps, signal });
      const ready = formatDeferred({ ...deferred, isReady: true });
      // Where nobody may go there is nothing to ask for: the next request is held back.
      const isAll = held !== undefined && held.size >= sizeOf(replicaSet);
      if (isAll) deps.ownShrinks.delete(replicaSet.metadata.uid);
      await writeDeferral(replicaSet, isAll ? {} : { text: ready }, { client, signal });
      decided.set(key, { text, until: clock.now() + shownMs });
      running.delete(key);
      // What came meanwhile has been waiting for this.
      queue?.add(key);
    } catch (error) {
      running.delete(key);
      if (signal.aborted) return;
      log.warn("a deferred scale-down could not be finished", { key, error: messageOf(error) });
      queue?.addAfter(key, retryMs);
    }
  };

  const follow = async (
    replicaSet: ReplicaSet,
    seen: Seen,
    signal: AbortSignal,
  ): Promise<ReconcileResult> => {
    const now = track(seen);
    if (now === undefined || isOutdated(replicaSet, now)) return drop(replicaSet, { deps, signal });
    const key = keyOf(replicaSet);
    tracked.set(key, now);
    if (now.deferred.isReady) return end(replicaSet, now, { deps, signal });
    // Decided again, it would count Pods that go already.
    const until = decided.get(key)?.until ?? 0;
    if (clock.now() < until) return { requeueAt: until };
    if (!running.has(key)) void decide(replicaSet, now, signal);
    return done;
  };

  return {
    name: "steering-deferrals",
    workers: 4,
    watches: [
      watching(replicaSets, (keys) => {
        queue = keys;
        const enqueue = (replicaSet: ReplicaSet) => {
          const key = keyOf(replicaSet);
          if (deferredText(replicaSet) !== undefined || tracked.has(key)) keys.add(key);
        };
        return { added: enqueue, updated: (_, now) => enqueue(now), deleted: enqueue };
      }),
    ],
    async reconcile(key, signal) {
      const replicaSet = replicaSets.get(key);
      const before = tracked.get(key);
      const text = replicaSet && deferredText(replicaSet);
      tracked.delete(key);
      if (decided.get(key)?.text !== text) decided.delete(key);
      if (replicaSet === undefined || isBeingDeleted(replicaSet)) return done;
      if (text === undefined) {
        if (before !== undefined && sizeOf(replicaSet) > before.deferred.size)
          await forget(replicaSet, { deps, signal });
        return done;
      }
      return follow(replicaSet, { text, replicaSet, before, at: clock.now() }, signal);
    },
  };
}

/** Whether a ReplicaSet has been given another size since, or has got small enough without us. */
function isOutdated(replicaSet: ReplicaSet, { size, deferred }: Tracked): boolean {
  return sizeOf(replicaSet) > size || sizeOf(replicaSet) <= deferred.size;
}

interface Seen {
  readonly text: string;
  readonly replicaSet: ReplicaSet;
  readonly before: Tracked | undefined;
  readonly at: Instant;
}

/** What is known of a ReplicaSet now; `undefined` for a label that is not ours. */
function track({ text, replicaSet, before, at }: Seen): Tracked | undefined {
  const deferred = readDeferred(text);
  if (deferred === undefined) return undefined;
  if (before?.text === text) return before;
  return {
    text,
    deferred,
    size: before?.size ?? sizeOf(replicaSet),
    since: at,
    firstAt: before?.firstAt ?? at,
  };
}

interface Ending {
  readonly deps: SteeringDependencies;
  readonly signal: AbortSignal;
}

/** Ends a decided scale-down that its Deployment does not ask for, and finishes that of any other ReplicaSet. */
async function end(replicaSet: ReplicaSet, tracked: Tracked, ending: Ending): Promise<ReconcileResult> {
  const { client, clock, ownShrinks } = ending.deps;
  const { uid } = replicaSet.metadata;
  const { size } = tracked.deferred;
  const admitted = admittedAs(tracked.deferred, readHeld(replicaSet.metadata.labels));
  const own = ownShrinks.get(uid);
  const isOwn = own?.size === size;
  const finishes = isOwn || deploymentNameOf(replicaSet) === undefined;
  const dueAt = dueTime(tracked, { isOwn, finishes });
  if (clock.now() < dueAt) return { requeueAt: dueAt };
  ownShrinks.delete(uid);
  if (!finishes || (isOwn && !isStillRight(own, replicaSet, ending.deps))) return drop(replicaSet, ending);
  await writeDeferral(replicaSet, { size: admitted }, { client, signal: ending.signal });
  return done;
}

function dueTime(
  { since, firstAt }: Tracked,
  { isOwn, finishes }: { readonly isOwn: boolean; readonly finishes: boolean },
): Instant {
  if (isOwn) return since;
  return finishes ? Math.max(since, firstAt + finishAfterMs) : since + dropAfterMs;
}

/** Removes the label, which wakes a Deployment that wants something else by now. */
async function drop(replicaSet: ReplicaSet, { deps, signal }: Ending): Promise<ReconcileResult> {
  const { client } = deps;
  const deferred = readDeferred(deferredText(replicaSet));
  await writeDeferral(replicaSet, {}, { client, signal });
  if (deferred === undefined || sizeOf(replicaSet) > deferred.size)
    await forget(replicaSet, { deps, signal });
  return done;
}

/**
 * Takes back what was decided about a ReplicaSet that does not shrink. One that has got the size keeps its marks until its
 * Pods have gone: more than 500 go in batches.
 */
async function forget(replicaSet: ReplicaSet, { deps, signal }: Ending): Promise<void> {
  const key = keyOf(replicaSet);
  const removal = deps.memory.open(key);
  if (removal?.replicaSet.metadata.uid !== replicaSet.metadata.uid) return;
  const { victims, survivors } = removal.choice;
  const latest = deps.replicaSets.get(key) ?? replicaSet;
  if (victims.length > 0 && sizeOf(latest) <= removal.size) return;
  deps.memory.forget(key, removal.id);
  const marked = [...victims, ...survivors].flatMap(({ pod }) => {
    const now = deps.pods.get(keyOf(pod));
    return now !== undefined && markOf(now)?.decision === removal.id ? [now] : [];
  });
  await unmarkAll(marked, deps, signal);
}
