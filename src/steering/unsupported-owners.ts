import type { ReplicaSet } from "../api/generated/apps-v1.ts";
import type { ObjectReference, Pod } from "../api/generated/core-v1.ts";
import type { Labels } from "../api/labels/label-selector.ts";
import type { OwnerReference } from "../api/generated/meta-v1.ts";
import type { StoredObject } from "../api/object.ts";
import { controllerOf } from "../api/owner-references.ts";
import type { Resource } from "../api/resource.ts";
import { daemonSets, replicaSets as replicaSetResource, statefulSets } from "../api/resources.ts";
import { steeringModeAnnotation } from "../api/workload-settings.ts";
import {
  modeOf,
  type SteeredWorkload,
  wishAnnotations,
  wishesOf,
  wishText,
} from "../decisions/stock/wish.ts";
import { type ControllerSpec, done, watching } from "../machinery/controller.ts";
import { referenceTo } from "../machinery/events/event-draft.ts";
import type { Informer } from "../machinery/informer/informer.ts";
import type { Instant } from "../api/time.ts";
import { asDeployment } from "../decisions/stock/argo-rollout.ts";
import { argoRolloutNameOf, deploymentNameOf, findArgoRollout } from "./admission/find-workload.ts";
import type { SteeringDependencies } from "./dependencies.ts";

/** A wish that nothing comes of, and whom that is said of. */
interface IgnoredWish {
  readonly regarding: ObjectReference;
  readonly reason: "SteeringNotSupported" | "PolicyNotSteered";
  readonly message: string;
}

/**
 * Say of workloads that ask for what steering cannot do that nothing comes of it, once each: StatefulSets, DaemonSets and
 * whatever else makes Pods itself, whose Pods carry the wish of their template; and growth of ReplicaSets of which
 * nothing says how many Pods there may be.
 */
export function unsupportedOwnersControllers(
  deps: SteeringDependencies,
  { setsOf }: { readonly setsOf: <T extends StoredObject>(resource: Resource<T>) => Informer<T> },
): readonly ControllerSpec[] {
  const told = new Recently();
  const { namespaces, events, metrics } = deps;
  const labelsOf = ({ metadata }: StoredObject): Labels =>
    namespaces.get(metadata.namespace ?? "")?.metadata.labels;
  const tell = ({ regarding, ...event }: IgnoredWish) => {
    if (!told.isNew(regarding.uid ?? "")) return;
    metrics.unfulfilled.increase({ cause: "Unsupported" });
    events.record({ regarding, type: "Warning", ...event });
  };
  const isOn = (object: StoredObject) => modeOf(wishesOf(object, labelsOf(object)), deps.mode) !== "off";
  const telling = <T extends StoredObject>(
    what: string,
    informer: Informer<T>,
    { ignoredOf, isFulfilled = () => Promise.resolve(false) }: Telling<T>,
  ): ControllerSpec => ({
    name: `steering-unsupported-${what}`,
    workers: 1,
    watches: [
      watching(informer, (queue) => {
        const look = (object: T) => {
          if (ignoredOf(object) !== undefined)
            queue.add(`${object.metadata.namespace ?? ""}/${object.metadata.name}`);
        };
        return { added: look, updated: (_, object) => look(object) };
      }),
    ],
    async reconcile(key, signal) {
      const object = informer.get(key);
      const ignored = object && isOn(object) ? ignoredOf(object) : undefined;
      if (object !== undefined && ignored !== undefined && !(await isFulfilled(object, signal)))
        tell(ignored);
      return done;
    },
  });
  return [
    telling("pods", deps.pods, { ignoredOf: ignoredByOwner }),
    telling("replicasets", deps.replicaSets, {
      ignoredOf: (replicaSet) => uncapped(replicaSet, labelsOf(replicaSet)),
      isFulfilled: cappedRollouts(deps),
    }),
    telling("statefulsets", setsOf(statefulSets), { ignoredOf: (set) => ignoredBySet(statefulSets, set) }),
    telling("daemonsets", setsOf(daemonSets), { ignoredOf: (set) => ignoredBySet(daemonSets, set) }),
  ];
}

/** What is found out about the objects of one kind. */
interface Telling<T> {
  readonly ignoredOf: (object: T) => IgnoredWish | undefined;
  /** Asked where nothing seems to come of a wish, since it takes a request. */
  readonly isFulfilled?: (object: T, signal: AbortSignal) => Promise<boolean>;
}

/** Controllers that make Pods without a ReplicaSet choose by themselves which of them go. */
function ignoredByOwner(pod: Pod): IgnoredWish | undefined {
  const owner = controllerOf(pod);
  if (owner === undefined || owner.kind === "ReplicaSet" || owner.kind === "Node") return undefined;
  return notSupported(referenceOf(owner, pod), pod as SteeredWorkload);
}

function ignoredBySet<T extends StoredObject>(resource: Resource<T>, set: T): IgnoredWish | undefined {
  return notSupported(referenceTo(resource, set), set);
}

/** An owner is in the namespace of what it owns. */
function referenceOf(
  { kind, apiVersion, name, uid }: OwnerReference,
  { metadata: { namespace = "" } }: StoredObject,
): ObjectReference {
  return { kind, apiVersion, namespace, name, uid };
}

function notSupported(regarding: ObjectReference, asking: SteeredWorkload): IgnoredWish | undefined {
  const asked = wishAnnotations.filter(
    (each) => each !== steeringModeAnnotation && wishText(asking, each, undefined) !== undefined,
  );
  if (asked.length === 0) return undefined;
  const why = "trimtab steer steers ReplicaSets, and what scales them";
  return {
    regarding,
    reason: "SteeringNotSupported",
    message: `${asked.join(", ")}: no effect on a ${regarding.kind}: ${why}`,
  };
}

/** Reports follow each other closely, and a strategy changes rarely. */
const knownForMs = 5 * 60_000;

/** Whether a ReplicaSet is of a Rollout of Argo whose strategy says its surge. */
function cappedRollouts(deps: SteeringDependencies) {
  const known = new Map<string, { readonly isCapped: boolean; readonly until: Instant }>();
  return async (replicaSet: ReplicaSet, signal: AbortSignal): Promise<boolean> => {
    const uid = argoRolloutNameOf(replicaSet)?.uid;
    if (uid === undefined) return false;
    const now = deps.clock.now();
    const before = known.get(uid);
    if (before !== undefined && now < before.until) return before.isCapped;
    const rollout = await findArgoRollout(replicaSet, deps, signal);
    const isCapped = rollout !== undefined && asDeployment(rollout) !== undefined;
    known.delete(uid);
    known.set(uid, { isCapped, until: now + knownForMs });
    const [oldest = ""] = known.keys();
    if (known.size > mostTold) known.delete(oldest);
    return isCapped;
  };
}

/** Only of Deployments, and of some Rollouts, is known how many Pods they may have. */
function uncapped(replicaSet: ReplicaSet, labels: Labels): IgnoredWish | undefined {
  const owner = controllerOf(replicaSet);
  // A namespace asks for what is rolled out: not for a ReplicaSet without an owner that replaces it.
  const { policy } = wishesOf(replicaSet, owner === undefined ? undefined : labels);
  if (policy !== "TerminationComplete" || deploymentNameOf(replicaSet) !== undefined) return undefined;
  return {
    regarding: owner ? referenceOf(owner, replicaSet) : referenceTo(replicaSetResource, replicaSet),
    reason: "PolicyNotSteered",
    message: `TerminationComplete has no effect on a ${owner?.kind ?? "ReplicaSet"}: trimtab steer caps the growth of Deployments, and of Argo Rollouts that are a canary without traffic routing`,
  };
}

const mostTold = 1000;

/** Remembers the latest, so that owners that come and go do not add up. */
class Recently {
  readonly #known = new Set<string>();

  isNew(uid: string): boolean {
    if (this.#known.has(uid)) return false;
    this.#known.add(uid);
    const [oldest = ""] = this.#known;
    if (this.#known.size > mostTold) this.#known.delete(oldest);
    return true;
  }
}
