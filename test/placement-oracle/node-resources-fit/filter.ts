import { isExtendedResource } from "../../../src/api/resource-names.ts";
import {
  type ResourceAmounts,
  resourceAmount,
  basicResources,
} from "../../../src/decisions/placement/objects/amounts.ts";
import type { NodeInfo } from "../snapshot/node-info.ts";
import type { PodInfo } from "../snapshot/pod-info.ts";
import { fits, rejects, type Verdict } from "../plugin.ts";

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
export function fitFilter(pod: PodInfo, ignored: IgnoredResources): (node: NodeInfo) => Verdict {
  const wanted = wantedOf(pod.request, ignored);
  return (node) => {
    if (hasEnough(node, wanted)) return fits;
    const short = wanted.flatMap(([name, amount]) => shortageOf(node, name, amount) ?? []);
    const shortages = [...tooManyPods(node), ...short];
    return rejects(
      shortages.some(({ isUnresolvable }) => isUnresolvable)
        ? "UnschedulableAndUnresolvable"
        : "Unschedulable",
      shortages.map(({ reason }) => reason),
      shortages.map(({ detail }) => detail).join("; "),
    );
  };
}

/** A resource and the amount that the Pod requests. */
type Wanted = readonly [name: string, amount: number];

function hasEnough(node: NodeInfo, wanted: readonly Wanted[]): boolean {
  return (
    node.pods.length < node.allowedPods && wanted.every(([name, amount]) => amount <= freeOf(node, name))
  );
}

function freeOf({ allocatable, requested }: NodeInfo, name: string): number {
  return resourceAmount(allocatable, name) - resourceAmount(requested, name);
}

/** The requested resources: the basic ones first, then the others by name. */
function wantedOf(request: ResourceAmounts, ignored: IgnoredResources): readonly Wanted[] {
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

function shortageOf(node: NodeInfo, name: string, amount: number): InsufficientResource | undefined {
  const allocatable = resourceAmount(node.allocatable, name);
  const free = freeOf(node, name);
  if (amount <= free) return undefined;
  const unit = name === "cpu" ? "m" : "";
  const detail = `${name}: ${amount}${unit} requested, ${free}${unit} of ${allocatable}${unit} free`;
  return { reason: `Insufficient ${name}`, detail, isUnresolvable: amount > allocatable };
}
