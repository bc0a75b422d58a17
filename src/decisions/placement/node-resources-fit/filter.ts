import { isExtendedResource } from "../../../api/kinds/pod-spec/validation/resource-names.ts";
import { type Amounts, amountOf, basicResources } from "../facts/amounts.ts";
import type { NodeFacts } from "../facts/node-facts.ts";
import type { PodFacts } from "../facts/pod-facts.ts";
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
export function fitFilter(pod: PodFacts, ignored: IgnoredResources): (node: NodeFacts) => Verdict {
  const wanted = wantedOf(pod.request, ignored);
  return (node) => {
    const short = wanted.flatMap(([name, amount]) => shortageOf(node, name, amount) ?? []);
    const shortages = [...tooManyPods(node), ...short];
    if (shortages.length === 0) return fits;
    return rejects(
      shortages.some(({ isForGood }) => isForGood) ? "UnschedulableAndUnresolvable" : "Unschedulable",
      shortages.map(({ reason }) => reason),
      shortages.map(({ detail }) => detail).join("; "),
    );
  };
}

/** What has to be there: the basic resources first, then the others by name. */
function wantedOf(request: Amounts, ignored: IgnoredResources): readonly (readonly [string, number])[] {
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

function tooManyPods({ pods, allowedPods }: NodeFacts): readonly Shortage[] {
  if (pods.length + 1 <= allowedPods) return [];
  const detail = `${pods.length} Pods, at most ${allowedPods}`;
  return [{ reason: "Too many pods", detail, isForGood: false }];
}

function shortageOf(node: NodeFacts, name: string, amount: number): Shortage | undefined {
  const allocatable = amountOf(node.allocatable, name);
  const free = allocatable - amountOf(node.requested, name);
  if (amount <= free) return undefined;
  const unit = name === "cpu" ? "m" : "";
  const detail = `${name}: ${amount}${unit} requested, ${free}${unit} of ${allocatable}${unit} free`;
  return { reason: `Insufficient ${name}`, detail, isForGood: amount > allocatable };
}
