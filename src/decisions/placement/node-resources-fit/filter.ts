import { isExtendedResource } from "../../../api/resource-names.ts";
import { type ResourceAmounts, resourceAmount, basicResources } from "../objects/amounts.ts";
import type { NodeDescription, NodeInfo } from "../objects/node-info.ts";
import type { PodInfo } from "../objects/pod-info.ts";
import type { ResourceColumn } from "../view/cluster-columns.ts";
import type { ClusterView } from "../view/cluster-view.ts";
import { fits, type PlainRejection, rejects, type Verdict } from "../plugin.ts";

/** Extended resources that are ignored: by name, or by the part before the slash. */
export interface IgnoredResources {
  readonly ignoredResources?: readonly string[];
  readonly ignoredResourceGroups?: readonly string[];
}

/** A resource of which a node has too little (upstream: InsufficientResource). */
interface InsufficientResource {
  readonly reason: string;
  readonly detail: string;
  /** The node would not have enough even if it were empty. */
  readonly isUnresolvable: boolean;
}

/** Rejects nodes that have too little of a requested resource, with a reason for each such resource. */
export function fitFilter(
  resources: readonly WantedResource[],
  { columns }: ClusterView,
): (node: NodeInfo) => Verdict {
  const wanted = resources.map(([name, amount]): WantedColumn => ({
    name,
    amount,
    ...columns.resource(name),
  }));
  const { podCount, allowedPods } = columns.nodes;
  const compared = { wanted, podCount, allowedPods };
  /** The refusals, by the amount of the first resource that is requested on the node. */
  const known = new Map<number, KnownRefusal>();
  return (node) => {
    const { slot } = node;
    const hasRoom = (podCount[slot] ?? 0) < (allowedPods[slot] ?? 0);
    if (hasRoom && hasEnough(slot, wanted)) return fits;
    // In a cluster that is full thousands of nodes lack the same: they share a refusal.
    const used = wanted[0]?.requested[slot] ?? podCount[slot] ?? 0;
    const alike = known.get(used);
    if (alike !== undefined && isAlike(alike.slot, slot, compared)) return alike.refusal;
    const refusal = refusalOf(node, wanted);
    known.set(used, { slot, refusal });
    return refusal;
  };
}

/** The refusal of the node in a slot. */
interface KnownRefusal {
  readonly slot: number;
  readonly refusal: PlainRejection;
}

function refusalOf(node: NodeInfo, wanted: readonly WantedColumn[]): PlainRejection {
  const short = wanted.flatMap((each) => shortageOf(node, each) ?? []);
  const shortages = [...tooManyPods(node), ...short];
  return rejects(
    shortages.some(({ isUnresolvable }) => isUnresolvable) ? "UnschedulableAndUnresolvable" : "Unschedulable",
    shortages.map(({ reason }) => reason),
    shortages.map(({ detail }) => detail).join("; "),
  );
}

interface ComparedColumns extends Pick<ClusterView["columns"]["nodes"], "podCount" | "allowedPods"> {
  readonly wanted: readonly WantedColumn[];
}

/** Reports whether a refusal has the same numbers for two nodes. */
function isAlike(one: number, other: number, { wanted, podCount, allowedPods }: ComparedColumns): boolean {
  if (podCount[one] !== podCount[other] || allowedPods[one] !== allowedPods[other]) return false;
  for (const { allocatable, requested } of wanted)
    if (allocatable[one] !== allocatable[other] || requested[one] !== requested[other]) return false;
  return true;
}

/** A resource and the amount that the Pod requests. */
export type WantedResource = readonly [name: string, amount: number];

/** A requested resource, with the amounts that every node has of it. */
interface WantedColumn extends ResourceColumn {
  readonly name: string;
  readonly amount: number;
}

function hasEnough(slot: number, wanted: readonly WantedColumn[]): boolean {
  for (const each of wanted) if (each.amount > freeOf(each, slot)) return false;
  return true;
}

function freeOf({ allocatable, requested }: ResourceColumn, slot: number): number {
  return (allocatable[slot] ?? 0) - (requested[slot] ?? 0);
}

/** Whether a Pod would fit a node that has no Pods. */
export function fitsWhenEmpty(pod: PodInfo, node: NodeDescription, ignored: IgnoredResources): boolean {
  const hasAmount = ([name, amount]: WantedResource): boolean =>
    amount <= resourceAmount(node.allocatable, name);
  return node.allowedPods > 0 && wantedResources(pod.request, ignored).every(hasAmount);
}

/** The requested resources: the basic ones first, then the others by name. */
export function wantedResources(
  request: ResourceAmounts,
  ignored: IgnoredResources,
): readonly WantedResource[] {
  const others = [...request.keys()].filter((name) => !basicResources.includes(name)).sort();
  return [...basicResources, ...others]
    .map((name) => [name, resourceAmount(request, name)] as const)
    .filter(([name, amount]) => amount > 0 && !isIgnored(name, ignored));
}

function isIgnored(name: string, { ignoredResources, ignoredResourceGroups }: IgnoredResources): boolean {
  if (!isExtendedResource(name)) return false;
  const [group = ""] = name.split("/");
  return ignoredResources?.includes(name) === true || ignoredResourceGroups?.includes(group) === true;
}

function tooManyPods({ pods, allowedPods }: NodeInfo): readonly InsufficientResource[] {
  if (pods.length < allowedPods) return [];
  const detail = `${pods.length} Pods, at most ${allowedPods}`;
  return [{ reason: "Too many pods", detail, isUnresolvable: false }];
}

function shortageOf({ slot }: NodeInfo, wanted: WantedColumn): InsufficientResource | undefined {
  const { name, amount } = wanted;
  const allocatable = wanted.allocatable[slot] ?? 0;
  const free = freeOf(wanted, slot);
  if (amount <= free) return undefined;
  const unit = name === "cpu" ? "m" : "";
  const detail = `${name}: ${amount}${unit} requested, ${free}${unit} of ${allocatable}${unit} free`;
  return { reason: `Insufficient ${name}`, detail, isUnresolvable: amount > allocatable };
}
