import type { ReplicaSet } from "../api/generated/apps-v1.ts";
import type { Pod } from "../api/generated/core-v1.ts";
import { keyOf } from "../api/object.ts";
import { controllerOf, isControlledBy } from "../api/owner-references.ts";
import { isActive } from "../api/pod-state.ts";
import { formatTime } from "../api/time.ts";
import { otherPodsOf } from "../decisions/stock/observation.ts";
import type { DecidedPod } from "../decisions/downscale/reason.ts";
import { countOf, sizeOf } from "../decisions/rollout/counts.ts";
import { podNames } from "../decisions/explain/steering-summary.ts";
import { hasShrunk, markOf, originalCostText } from "../decisions/stock/mark.ts";
import { type ControllerSpec, done, watching } from "../machinery/controller.ts";
import type { SteeredRemoval } from "./decision-memory.ts";
import type { SteeringDependencies } from "./dependencies.ts";
import { watchedDeployment } from "./admission/find-workload.ts";
import { tellBoth } from "./unfulfilled.ts";

/** Compares the Pods that were removed with the decision; runs in the copy that has decided. */
export function checkRemovalsController(deps: SteeringDependencies): ControllerSpec {
  const { pods, replicaSets, memory } = deps;
  const repriced = new RepricedPods();
  return {
    name: "steering-checks",
    workers: 1,
    watches: [
      watching(pods, (queue) => {
        const removalOf = (pod: Pod): SteeredRemoval | undefined => {
          const owner = controllerOf(pod);
          if (owner?.kind !== "ReplicaSet") return undefined;
          return memory.open(`${pod.metadata.namespace ?? ""}/${owner.name}`);
        };
        const enqueue = (pod: Pod) => {
          const removal = removalOf(pod);
          if (removal !== undefined) queue.add(keyOf(removal.replicaSet));
        };
        return {
          updated: (before, pod) => {
            const removal = removalOf(pod);
            if (removal === undefined) return;
            if (isRepriced(before, pod)) repriced.add(removal.id, pod);
            queue.add(keyOf(removal.replicaSet));
          },
          deleted: enqueue,
        };
      }),
      watching(replicaSets, (queue) => {
        const enqueue = (replicaSet: ReplicaSet) => {
          if (memory.open(keyOf(replicaSet)) !== undefined) queue.add(keyOf(replicaSet));
        };
        return { updated: (_, replicaSet) => enqueue(replicaSet), deleted: enqueue };
      }),
    ],
    reconcile(key) {
      const removal = memory.open(key);
      const replicaSet = replicaSets.get(key);
      if (removal === undefined) return Promise.resolve(done);
      check({ removal, replicaSet, repriced: repriced.of(removal.id) }, deps);
      if (memory.open(key)?.id !== removal.id) repriced.forget(removal.id);
      return Promise.resolve(done);
    },
  };
}

/** Whether another program has written a cost: one that we look through, or one over our mark, be it the one before. */
function isRepriced(before: Pod, now: Pod): boolean {
  const isOverMark = markOf(before)?.isIntact === true && markOf(now)?.isIntact === false;
  return isOverMark || originalCostText(before) !== originalCostText(now);
}

/** The Pods whose costs others have changed since decisions were made, by the decision. */
class RepricedPods {
  readonly #byDecision = new Map<string, Set<string>>();

  add(decision: string, { metadata }: Pod): void {
    const names = this.#byDecision.get(decision) ?? new Set<string>();
    this.#byDecision.set(decision, names.add(metadata.name));
  }

  of(decision: string): readonly string[] {
    return [...(this.#byDecision.get(decision) ?? [])];
  }

  forget(decision: string): void {
    this.#byDecision.delete(decision);
  }
}

interface Checked {
  readonly removal: SteeredRemoval;
  readonly replicaSet: ReplicaSet | undefined;
  /** The names of Pods whose costs others have changed since. */
  readonly repriced: readonly string[];
}

function check({ removal, replicaSet, repriced }: Checked, deps: SteeringDependencies): void {
  const forget = () => deps.memory.forget(keyOf(removal.replicaSet), removal.id);
  if (replicaSet === undefined || !isOf(removal, replicaSet)) return forget();
  // Most events come long before: they must not cost a look at every Pod.
  if (!hasShrunk(replicaSet, removal.generation, 0)) return;
  const isThere = isThereNow(replicaSet, deps);
  const { victims, survivors } = removal.choice;
  const left = [...victims, ...survivors].filter(isThere);
  if (!hasShrunk(replicaSet, removal.generation, left.length)) return;
  forget();
  const removed = [...victims, ...survivors].filter((each) => !left.includes(each));
  if (removal.isObserved === true) return tellObserved({ removal, removed }, deps);
  if (!differs(removal, replicaSet, isThere)) return;
  tell({ removal, removed, repriced }, deps);
}

/** Whether a ReplicaSet can have got the size of a removal: another one in its generation says that the update was refused. */
function isOf({ replicaSet, generation, size }: SteeredRemoval, now: ReplicaSet): boolean {
  if (now.metadata.uid !== replicaSet.metadata.uid) return false;
  return countOf(now.metadata.generation) !== generation || sizeOf(now) === size;
}

type IsThere = (decided: DecidedPod) => boolean;

function isThereNow({ metadata: { uid } }: ReplicaSet, { pods }: SteeringDependencies): IsThere {
  return ({ pod }) => {
    const known = pods.get(keyOf(pod));
    return known?.metadata.uid === pod.metadata.uid && isActive(known) && isControlledBy(known, uid);
  };
}

function differs({ choice, generation }: SteeredRemoval, now: ReplicaSet, isThere: IsThere): boolean {
  const isSpared = choice.victims.some(isThere);
  const isMissed = !choice.survivors.every(isThere);
  // Its size was changed again since: then fewer victims go, or more Pods than these, but not one instead of the other.
  const hasMovedOn = countOf(now.metadata.generation) > generation;
  return hasMovedOn ? isSpared && isMissed : isSpared || isMissed;
}

interface Difference extends Pick<Checked, "removal" | "repriced"> {
  readonly removed: readonly DecidedPod[];
}

/** Says who would have gone beside who went. */
function tellObserved({ removal, removed }: Omit<Difference, "repriced">, deps: SteeringDependencies): void {
  const { replicaSet, choice } = removal;
  const namesOf = (decided: readonly DecidedPod[]) => decided.map(({ pod }) => pod.metadata.name);
  const lists = { wouldRemove: namesOf(choice.victims), removed: namesOf(removed) };
  const others = otherPodsOf(lists);
  deps.metrics.observed.increase({ what: others === 0 ? "same" : "differs" });
  const deployment = watchedDeployment(replicaSet, deps);
  const at = formatTime(deps.clock.now());
  deps.observations?.add({ kind: "removal", at, workload: keyOf(deployment ?? replicaSet), ...lists });
  const message =
    others === 0
      ? `Would remove the same pods as the cluster's own controller did: ${podNames(lists.removed)}`
      : `Would remove ${podNames(lists.wouldRemove)}; the cluster's own controller removed ${podNames(lists.removed)}`;
  tellBoth({ replicaSet, deployment }, { type: "Normal", reason: "WouldRemove", message }, deps);
}

/** What others do to costs is theirs to do: it is said, and it is no fault. */
function tell({ removal, removed, repriced }: Difference, deps: SteeringDependencies): void {
  const isOfOthers = repriced.length > 0;
  deps.metrics.mismatches.increase({ cause: isOfOthers ? "CostsChanged" : "Unexplained" });
  const namesOf = (decided: readonly DecidedPod[]) => podNames(decided.map(({ pod }) => pod.metadata.name));
  const lists = `decided ${namesOf(removal.choice.victims)}; removed ${namesOf(removed)}`;
  const { replicaSet } = removal;
  const message = isOfOthers
    ? `Other pods than decided were removed, since others changed the costs of ${podNames(repriced, 100)}: ${lists}`
    : `Other pods than decided were removed: ${lists}`;
  tellBoth(
    { replicaSet, deployment: watchedDeployment(replicaSet, deps) },
    { type: isOfOthers ? "Normal" : "Warning", reason: "ScaleDownDiffers", message },
    deps,
  );
}
