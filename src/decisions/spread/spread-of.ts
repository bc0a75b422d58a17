import type { ReplicaSet } from "../../api/generated/apps-v1.ts";
import type {
  Node,
  Pod,
  ReplicationController,
  Service,
  TopologySpreadConstraint,
} from "../../api/generated/core-v1.ts";
import { matchesLabels } from "../../api/labels/label-selector.ts";
import { controllerOf, controllerReference, isControlledBy } from "../../api/owner-references.ts";
import { isActive } from "../../api/pod-state.ts";
import { replicaSets, replicationControllers } from "../../api/resources.ts";
import { nodeOf } from "../downscale/co-location.ts";
import type { Spread, SpreadDomains } from "../downscale/facts.ts";
import { podsPerStep, type Steps } from "../downscale/steps.ts";
import { topologyRank } from "../downscale/topology-name.ts";
import type { PodTopologySpreadArgs } from "../placement/pod-topology-spread/args.ts";
import { effectiveConstraints } from "../placement/pod-topology-spread/effective-constraints.ts";
import { ownConstraint, type SpreadConstraint } from "../placement/objects/spread-constraint.ts";
import { type PodInfo, podInfo } from "../placement/objects/pod-info.ts";
import { itemsOf, labelOf, stringOf } from "../placement/objects/reading.ts";
import { clusterViewOf } from "../placement/view/list-view.ts";

/** A ReplicaSet or ReplicationController, and the cluster around it. */
export interface SpreadWorkload {
  readonly owner: ReplicaSet | ReplicationController;
  /** Its active Pods. */
  readonly pods: readonly Pod[];
  /** The Pods of the workload, those of its other ReplicaSets included. */
  readonly related: Iterable<Pod>;
  /** `undefined` where they could not be read. */
  readonly nodes: readonly Node[] | undefined;
  /** Those that select a Pod narrow its default constraints (KEP-1258); none where they could not be read. */
  readonly services: readonly Service[];
  /** The default constraints of the scheduler that placed a Pod; `undefined` where it does not spread Pods. */
  readonly defaultsFor: DefaultsByScheduler;
}

/** The arguments of the plugin PodTopologySpread by the name of a scheduler; `undefined` where it is not enabled. */
export type DefaultsByScheduler = (schedulerName: string | undefined) => PodTopologySpreadArgs | undefined;

/** The defaults of a scheduler without a configuration file. */
export const builtInDefaults: DefaultsByScheduler = () => ({ defaultingType: "System" });

/**
 * The constraints by which the Pods of a workload were spread: those of its newest Pod, or else the defaults of its
 * scheduler, over the Pods that the owner and the Services of that Pod select. The hard ones come first, then zones
 * before hosts.
 */
export function* spreadOfInSteps(workload: SpreadWorkload): Steps<Spread> {
  const { nodes } = workload;
  if (nodes === undefined)
    return { constraints: [], ignored: ["all constraints: the nodes could not be read"] };
  const newest = newestOf(workload.pods);
  if (newest === undefined) return { constraints: [], ignored: [] };
  const own = itemsOf(newest.spec?.topologySpreadConstraints);
  const read = own.length > 0 ? own.map(readOwn(podInfo(newest))) : defaultsOf(newest, workload);
  const constraints = read
    .filter((constraint) => typeof constraint !== "string")
    .toSorted((one, other) => orderOf(one) - orderOf(other));
  const placed = constraints.map((constraint) => placedBy(constraint, nodes));
  yield* countOthers(placed, workload);
  return { constraints: placed, ignored: read.filter((constraint) => typeof constraint === "string") };
}

/** The newest Pod: its constraints are those of the template as it is. */
function newestOf(pods: readonly Pod[]): Pod | undefined {
  // The times of the API have one format, whose texts are in the order of time.
  const createdAt = ({ metadata }: Pod): string => stringOf(metadata?.creationTimestamp);
  let newest = pods[0];
  for (const pod of pods) if (newest === undefined || createdAt(pod) > createdAt(newest)) newest = pod;
  return newest;
}

const actions: ReadonlySet<string> = new Set(["DoNotSchedule", "ScheduleAnyway"]);

/** Reads a constraint of a Pod; what makes no sense is a sentence that says so. */
function readOwn(
  pod: PodInfo,
): (constraint: TopologySpreadConstraint, index: number) => SpreadConstraint | string {
  return (constraint, index) => {
    const read = ownConstraint(constraint, pod);
    const problem = typeof read === "string" ? read : problemOf(constraint, read, pod);
    return problem === undefined ? read : `topologySpreadConstraints[${index}]: ${problem}`;
  };
}

function problemOf(
  { whenUnsatisfiable }: TopologySpreadConstraint,
  { topologyKey, maxSkew, selection }: SpreadConstraint,
  { labels }: PodInfo,
): string | undefined {
  if (topologyKey === "") return "it has no topologyKey";
  if (!(maxSkew >= 1)) return "its maxSkew is not positive";
  if (!actions.has(whenUnsatisfiable)) return "its whenUnsatisfiable is not known";
  if (selection.selects === "nothing") return "it has no labelSelector";
  // upstream: an empty selector counts no Pod when Pods are placed
  if (selection.requirements.length === 0) return "its labelSelector is empty, by which no Pod is counted";
  return matchesLabels(selection, labels) ? undefined : "its labelSelector does not select the Pod";
}

/** The defaults; they have been validated where they were read. */
function defaultsOf(pod: Pod, { owner, services, defaultsFor }: SpreadWorkload): readonly SpreadConstraint[] {
  const args = defaultsFor(pod.spec?.schedulerName);
  if (args === undefined) return [];
  // The owner is looked up by the kind that the Pod says.
  const selecting = {
    services,
    replicaSets: [owner as ReplicaSet],
    replicationControllers: [owner as ReplicationController],
  };
  const { of } = effectiveConstraints(
    podInfo(adoptedBy(owner, pod)),
    clusterViewOf({ nodes: [], ...selecting }),
    args,
  );
  return [of("DoNotSchedule"), of("ScheduleAnyway")].flatMap((constraints) =>
    typeof constraints === "string" ? [] : constraints,
  );
}

/** The Pod once the owner has adopted it: default constraints count the Pods of the controller that it names. */
function adoptedBy(owner: SpreadWorkload["owner"], pod: Pod): Pod {
  if (controllerOf(pod) !== undefined) return pod;
  const resource = owner.kind === "ReplicationController" ? replicationControllers : replicaSets;
  const ownerReferences = [...(pod.metadata.ownerReferences ?? []), controllerReference(resource, owner)];
  return { ...pod, metadata: { ...pod.metadata, ownerReferences } };
}

const orderOf = ({ whenUnsatisfiable, topologyKey }: SpreadConstraint): number =>
  (whenUnsatisfiable === "DoNotSchedule" ? 0 : 10) + topologyRank(topologyKey);

interface CountedDomains extends SpreadDomains {
  readonly base: Map<string, number>;
}

function placedBy(
  { topologyKey, whenUnsatisfiable, source, selection }: SpreadConstraint,
  nodes: readonly Node[],
): CountedDomains {
  const domains = new Map<string, string>();
  for (const { metadata } of nodes) {
    const domain = labelOf(metadata?.labels, topologyKey);
    if (domain !== undefined) domains.set(stringOf(metadata?.name), domain);
  }
  return { topologyKey, whenUnsatisfiable, source, domains, selection, base: new Map() };
}

/** Counts the active Pods of the workload's other ReplicaSets: they stay, whatever goes. */
function* countOthers(
  constraints: readonly CountedDomains[],
  { owner, pods, related }: SpreadWorkload,
): Steps<void> {
  if (constraints.length === 0) return;
  // A Pod that the owner adopts is one of its own, and may not say so yet.
  const isAdopted = lazilyIn(pods);
  let seen = 0;
  for (const pod of related) {
    if (++seen % podsPerStep === 0) yield;
    if (isControlledBy(pod, owner.metadata.uid) || !isActive(pod)) continue;
    if (controllerOf(pod) === undefined && isAdopted(pod)) continue;
    for (const constraint of constraints) countIn(constraint, pod);
  }
}

/** Whether a Pod is one of these; they are gone through only if that is asked. */
function lazilyIn(pods: readonly Pod[]): (pod: Pod) => boolean {
  let uids: ReadonlySet<unknown> | undefined;
  return ({ metadata }) => (uids ??= new Set(pods.map((pod) => pod.metadata?.uid))).has(metadata?.uid);
}

function countIn({ domains, selection, base }: CountedDomains, pod: Pod): void {
  const domain = domains.get(nodeOf(pod));
  if (domain !== undefined && matchesLabels(selection, pod.metadata?.labels))
    base.set(domain, (base.get(domain) ?? 0) + 1);
}
