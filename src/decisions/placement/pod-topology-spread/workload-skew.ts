import type { OwnerReference } from "../../../api/generated/meta-v1.ts";
import { controllerOf } from "../../../api/owner-references.ts";
import type { NodeInfo } from "../objects/node-info.ts";
import type { PodInfo } from "../objects/pod-info.ts";
import { countsLabels } from "../objects/pod-selection.ts";
import { itemsOf, labelOf, stringOf } from "../objects/reading.ts";
import type { ClusterView } from "../view/cluster-view.ts";
import type { PodTopologySpreadArgs } from "./args.ts";
import { hasAllKeys, includedNodes } from "./counting.ts";
import { effectiveConstraints } from "./effective-constraints.ts";
import type { SpreadAction, SpreadConstraint } from "../objects/spread-constraint.ts";

/** A workload, as its Pods name it: the Deployment of a ReplicaSet, or their controller. */
export interface MeasuredWorkload {
  readonly namespace: string;
  readonly kind: string;
  readonly name: string;
}

/** How unevenly the Pods of a workload are spread by one of the constraints that apply to them. */
export interface WorkloadSkew {
  readonly workload: MeasuredWorkload;
  readonly constraint: SpreadConstraint;
  /** The Pods in the fullest domain less those in the emptiest. */
  readonly skew: number;
}

/** The arguments of the plugin for a Pod; `undefined` when no profile that has the plugin schedules it. */
export type ArgsForPod = (pod: PodInfo) => PodTopologySpreadArgs | undefined;

/**
 * Measures every workload by the constraints of its newest Pod. Of the Pods that a constraint selects, only those of the
 * workload count. Yields where the computation may pause; the cluster may change in a pause.
 */
export function* measureWorkloadSkew(
  cluster: ClusterView,
  argsFor: ArgsForPod,
): Generator<void, readonly WorkloadSkew[], void> {
  const groups = yield* groupByWorkload(cluster);
  const domainsFor = domainCache();
  const measured: WorkloadSkew[] = [];
  for (const group of groups) {
    const args = argsFor(group.newest);
    if (args !== undefined) measured.push(...skewsOf(group, { cluster, args, domainsFor }));
    yield;
  }
  return measured;
}

interface PlacedPod {
  readonly pod: PodInfo;
  readonly node: NodeInfo;
}

interface WorkloadPods {
  readonly workload: MeasuredWorkload;
  readonly pods: PlacedPod[];
  newest: PodInfo;
}

function* groupByWorkload(cluster: ClusterView): Generator<void, Iterable<WorkloadPods>, void> {
  const groups = new Map<string, WorkloadPods>();
  for (const node of cluster.nodes) {
    for (const pod of node.pods) addPod(groups, { pod, node }, cluster);
    yield;
  }
  return groups.values();
}

function addPod(groups: Map<string, WorkloadPods>, placed: PlacedPod, cluster: ClusterView): void {
  const { pod } = placed;
  const workload = pod.isTerminating ? undefined : workloadOf(pod, cluster);
  if (workload === undefined) return;
  const key = `${workload.namespace}/${workload.kind}/${workload.name}`;
  const known = groups.get(key);
  if (known === undefined) groups.set(key, { workload, pods: [placed], newest: pod });
  else {
    known.pods.push(placed);
    if (createdAt(pod) > createdAt(known.newest)) known.newest = pod;
  }
}

// The times of the API have one format, whose texts are in the order of time.
const createdAt = ({ pod }: PodInfo): string => stringOf(pod.metadata?.creationTimestamp);

function workloadOf({ pod, namespace }: PodInfo, cluster: ClusterView): MeasuredWorkload | undefined {
  const owner = ownerOf(pod.metadata);
  if (owner === undefined) return undefined;
  const { kind, name } = { kind: stringOf(owner.kind), name: stringOf(owner.name) };
  const above = kind === "ReplicaSet" ? ownerOf(cluster.replicaSet(namespace, name)?.metadata) : undefined;
  return above?.kind === "Deployment"
    ? { namespace, kind: "Deployment", name: stringOf(above.name) }
    : { namespace, kind, name };
}

function ownerOf(metadata: { readonly ownerReferences?: readonly OwnerReference[] } | undefined) {
  return controllerOf({ metadata: { ownerReferences: itemsOf(metadata?.ownerReferences) } });
}

/** The nodes that count for a constraint of a workload. */
interface CountedNodes {
  readonly isCounted: (node: NodeInfo) => boolean;
  /** Whether all nodes with the keys count, so that workloads share their domains. */
  readonly isShared: boolean;
}

function countedNodes(constraint: SpreadConstraint, { pod, keys, cluster }: Counting): CountedNodes {
  const mask = includedNodes(constraint, pod, cluster);
  const isCounted = ({ labels, slot }: NodeInfo): boolean =>
    hasAllKeys(labels, keys) && (mask === undefined || mask[slot] === 1);
  return { isCounted, isShared: mask === undefined };
}

interface Counting {
  readonly pod: PodInfo;
  /** The constraints whose keys a node has to have. */
  readonly keys: readonly SpreadConstraint[];
  readonly cluster: ClusterView;
}

/** The domains of a constraint: the values of its key on the nodes that count for it. */
type DomainsFor = (
  constraint: SpreadConstraint,
  nodes: CountedNodes,
  counting: Counting,
) => ReadonlySet<string>;

/** Most Pods may run on any node, so that most workloads share the domains of a key. */
function domainCache(): DomainsFor {
  const known = new Map<string, ReadonlySet<string>>();
  return (constraint, { isCounted, isShared }, { keys, cluster }) => {
    const id = JSON.stringify([constraint.topologyKey, keys.map(({ topologyKey }) => topologyKey)]);
    const shared = isShared ? known.get(id) : undefined;
    if (shared !== undefined) return shared;
    const domains = new Set(cluster.nodes.filter(isCounted).map((node) => domainOf(node, constraint)));
    if (isShared) known.set(id, domains);
    return domains;
  };
}

const domainOf = ({ labels }: NodeInfo, { topologyKey }: SpreadConstraint): string =>
  labelOf(labels, topologyKey) ?? "";

interface SkewContext {
  readonly cluster: ClusterView;
  readonly args: PodTopologySpreadArgs;
  readonly domainsFor: DomainsFor;
}

const actions: readonly SpreadAction[] = ["DoNotSchedule", "ScheduleAnyway"];

function skewsOf(group: WorkloadPods, { cluster, args, domainsFor }: SkewContext): readonly WorkloadSkew[] {
  const { newest: pod, workload } = group;
  const { of, needsAllKeys } = effectiveConstraints(pod, cluster, args);
  return actions.flatMap((action) => {
    const constraints = of(action);
    // A selector that cannot be parsed is an error of the Pods that wait; there is nothing to measure.
    if (typeof constraints === "string") return [];
    return constraints.flatMap((constraint): WorkloadSkew[] => {
      const counting = { pod, cluster, keys: needsAllKeys ? constraints : [constraint] };
      const nodes = countedNodes(constraint, counting);
      const domains = domainsFor(constraint, nodes, counting);
      const skew = skewIn(domains, countPods(group, constraint, nodes), constraint);
      return skew === undefined ? [] : [{ workload, constraint, skew }];
    });
  });
}

function countPods(
  { pods }: WorkloadPods,
  constraint: SpreadConstraint,
  { isCounted }: CountedNodes,
): ReadonlyMap<string, number> {
  const { selection } = constraint;
  const found = new Map<string, number>();
  for (const { pod, node } of pods) {
    if (!countsLabels(selection, pod.labels) || !isCounted(node)) continue;
    const domain = domainOf(node, constraint);
    found.set(domain, (found.get(domain) ?? 0) + 1);
  }
  return found;
}

/** `undefined` when the constraint counts no Pod of the workload. */
function skewIn(
  domains: ReadonlySet<string>,
  found: ReadonlyMap<string, number>,
  { minDomains }: SpreadConstraint,
): number | undefined {
  if (found.size === 0) return undefined;
  const hasEmpty = domains.size < minDomains || found.size < domains.size;
  return Math.max(...found.values()) - (hasEmpty ? 0 : Math.min(...found.values()));
}
