import { isExtendedResource } from "../../../api/kinds/pod-spec/validation/resources.ts";
import { type Amounts, amountOf, basicResources } from "../snapshot/amounts.ts";
import type { NodeInfo } from "../snapshot/node-info.ts";
import type { PodInfo } from "../snapshot/pod-info.ts";
import { fits, rejects, type Verdict } from "../plugin.ts";

/** Resources that are not looked at: by name, or by what comes before the slash. */
export interface IgnoredResources {
  readonly ignoredResources?: readonly string[];
  readonly ignoredResourceGroups?: readonly string[];
}

/** Something a node has too little of. */
interface Shortage {
  readonly reason: string;
  readonly detail: string;
  /** The node would not have enough even if it were empty. */
  readonly isForGood: boolean;
}

/** Refuses nodes that have too little of anything the Pod requests, and names it all. */
export function fitFilter(pod: PodInfo, ignored: IgnoredResources): (node: NodeInfo) => Verdict {
  const wanted = wantedOf(pod.request, ignored);
  return (node) => {
    if (hasRoom(node, wanted)) return fits;
    const short = wanted.flatMap(([name, amount]) => shortageOf(node, name, amount) ?? []);
    const shortages = [...tooManyPods(node), ...short];
    return rejects(
      shortages.some(({ isForGood }) => isForGood) ? "UnschedulableAndUnresolvable" : "Unschedulable",
      shortages.map(({ reason }) => reason),
      shortages.map(({ detail }) => detail).join("; "),
    );
  };
}

/** A resource, and how much of it has to be there. */
type Wanted = readonly [name: string, amount: number];

function hasRoom(node: NodeInfo, wanted: readonly Wanted[]): boolean {
  return (
    node.pods.length < node.allowedPods && wanted.every(([name, amount]) => amount <= freeOf(node, name))
  );
}

function freeOf({ allocatable, requested }: NodeInfo, name: string): number {
  return amountOf(allocatable, name) - amountOf(requested, name);
}

/** What has to be there: the basic resources first, then the others by name. */
function wantedOf(request: Amounts, ignored: IgnoredResources): readonly Wanted[] {
  const others = [...request.keys()].filter((name) => !basicResources.includes(name)).sort();
  return [...basicResources, ...others]
    .map((name) => [name, amountOf(request, name)] as const)
    .filter(([name, amount]) => amount > 0 && !isIgnored(name, ignored));
}

function isIgnored(name: string, { ignoredResources, ignoredResourceGroups }: IgnoredResources): boolean {
  if (!isExtendedResource(name)) return false;
  const [group = ""] = name.split("/");
  return ignoredResources?.includes(name) === true || ignoredResourceGroups?.includes(group) === true;
}

function tooManyPods({ pods, allowedPods }: NodeInfo): readonly Shortage[] {
  if (pods.length < allowedPods) return [];
  const detail = `${pods.length} Pods, at most ${allowedPods}`;
  return [{ reason: "Too many pods", detail, isForGood: false }];
}

function shortageOf(node: NodeInfo, name: string, amount: number): Shortage | undefined {
  const allocatable = amountOf(node.allocatable, name);
  const free = freeOf(node, name);
  if (amount <= free) return undefined;
  const unit = name === "cpu" ? "m" : "";
  const detail = `${name}: ${amount}${unit} requested, ${free}${unit} of ${allocatable}${unit} free`;
  return { reason: `Insufficient ${name}`, detail, isForGood: amount > allocatable };
}
