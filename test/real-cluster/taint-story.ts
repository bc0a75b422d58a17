import { nodes } from "../../src/api/resources.ts";
import type { Client } from "../../src/machinery/client/client.ts";
import { randomInt, seededRandom } from "../../src/machinery/random/random.ts";
import { simulatedNodeName } from "../../src/cluster/kubelet/nodes/simulated-node.ts";
import { eventually } from "./eventually.ts";
import { podsOf } from "./set-outcome.ts";
import {
  quickTemplate,
  type Step,
  storyTaint,
  type TaintEffect,
  taintEffects,
  type TaintStep,
} from "./story.ts";

/** A template whose Pods tolerate no taint but those that every daemon tolerates. */
export function intolerantTemplate(image: string) {
  const template = quickTemplate(image);
  return { ...template, spec: { ...template.spec, tolerations: [] } };
}

/**
 * Steps that a seed draws for a DaemonSet on nodes that get taints and lose them, and that has another image now and
 * then. The last node stays as it is, so that there always is a Pod. In the end no node is tainted.
 */
export function drawTaints(seed: string, count: number, nodeCount: number): readonly Step[] {
  const random = seededRandom(seed);
  const names = Array.from({ length: nodeCount }, (_, index) => simulatedNodeName(index));
  const tainted = new Map<string, TaintEffect>();
  let on: readonly string[] = names;
  const refuses = (name: string) => tainted.has(name) && tainted.get(name) !== "PreferNoSchedule";
  const taint = (node: string, effect: TaintEffect | undefined): Step => {
    if (effect === undefined) tainted.delete(node);
    else tainted.set(node, effect);
    // NoSchedule leaves the Pods that are there.
    on = names.filter((name) => !refuses(name) || (tainted.get(name) === "NoSchedule" && on.includes(name)));
    return { do: "taint", node, effect, on };
  };
  let images = 1;
  const image = (): Step => {
    on = names.filter((name) => !refuses(name));
    return { do: "change", spec: { template: intolerantTemplate(`web:${++images}`) }, on };
  };
  const draw = (index: number): Step => {
    if (index % 3 === 2) return image();
    const node = names[randomInt(random, nodeCount - 1)] ?? "";
    return taint(node, tainted.has(node) ? undefined : taintEffects[randomInt(random, taintEffects.length)]);
  };
  const drawn = Array.from({ length: count }, (_, index) => draw(index));
  return [...drawn, ...[...tainted.keys()].map((node) => taint(node, undefined)), image()];
}

export async function setTaint(client: Client, { node, effect }: TaintStep): Promise<void> {
  const taints = effect === undefined ? null : [{ key: storyTaint, effect }];
  await client.patch(nodes, { name: node }, { type: "merge", body: { spec: { taints } } });
}

/** Resolves once the Pods of a namespace are on these nodes, one on each. */
export async function untilPodsAreOn(
  client: Client,
  namespace: string,
  names: readonly string[],
): Promise<void> {
  await eventually(`the Pods in ${namespace} are on ${names.join(", ")}`, async () => {
    const found = (await podsOf(client, namespace)).map(({ spec }) => spec.nodeName ?? "");
    const sorted = (all: readonly string[]) => all.toSorted((a, b) => a.localeCompare(b)).join();
    return sorted(found) === sorted(names) ? true : undefined;
  });
}
