import { oneOf } from "../../../src/machinery/random/random.ts";
import { nodes } from "../../../src/api/resources.ts";
import { simulatedNode } from "../../../src/cluster/kubelet/nodes/simulated-node.ts";
import { zoneOf } from "../../../src/api/well-known.ts";
import { parseTime } from "../../../src/api/time.ts";
import type { User, UserStep } from "./scenario.ts";

/** So many nodes are enough. */
const mostNodes = 7;

/** Another node joins. */
export const joinNode: UserStep = async ({ client }) => {
  const { items } = await client.list(nodes, {});
  if (items.length >= mostNodes) return;
  const since = parseTime(items[0]?.metadata.creationTimestamp) ?? 0;
  await client.create(nodes, simulatedNode({ index: items.length, zones: 3 }, since));
};

/** There is a node in every zone again: a volume is reached from its zone alone. */
export const reachZones: UserStep = async ({ client }) => {
  const { items } = await client.list(nodes, {});
  const since = parseTime(items[0]?.metadata.creationTimestamp) ?? 0;
  const there = new Set(items.map(({ metadata }) => zoneOf(metadata)));
  for (let index = mostNodes; index < mostNodes + 3; index++) {
    const node = simulatedNode({ index, zones: 3 }, since);
    if (!there.has(zoneOf(node.metadata))) await client.create(nodes, node);
  }
};

/** Some node takes no more Pods, or does so again; one always does. */
export const cordonOrUncordon: UserStep = async (user) => {
  const { closed, open } = await nodesOf(user);
  const { random, perform } = user;
  const toClose = open.length > 1 && random.next() < 0.5 ? oneOf(open, random) : undefined;
  const toOpen = oneOf(closed, random);
  if (toClose !== undefined) await perform({ action: "cordon", node: toClose });
  else if (toOpen !== undefined) await perform({ action: "uncordon", node: toOpen });
};

/** The Pods of some node have to go elsewhere, while another node takes Pods. */
export const drain: UserStep = async (user) => {
  const { open } = await nodesOf(user);
  const node = oneOf(open, user.random);
  if (open.length > 1 && node !== undefined) await user.perform({ action: "drain", node });
};

async function nodesOf({ client }: User) {
  const { items } = await client.list(nodes, {});
  const names = (isClosed: boolean) =>
    items
      .filter(({ spec }) => (spec.unschedulable === true) === isClosed)
      .map(({ metadata }) => metadata.name);
  return { closed: names(true), open: names(false) };
}
