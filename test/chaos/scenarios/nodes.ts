import { oneOf } from "../../../src/machinery/random/random.ts";
import { nodes, pods } from "../../../src/api/resources.ts";
import { simulatedNode } from "../../../src/cluster/kubelet/nodes/simulated-node.ts";
import { parseTime } from "../../../src/api/time.ts";
import type { UserAction } from "./scenario.ts";

/** So many nodes are enough. */
const mostNodes = 7;

/** Another node joins. */
export const joinNode: UserAction = async ({ client }) => {
  const { items } = await client.list(nodes, {});
  if (items.length >= mostNodes) return;
  const since = parseTime(items[0]?.metadata.creationTimestamp) ?? 0;
  await client.create(nodes, simulatedNode({ index: items.length, zones: 3 }, since));
};

/** Some node takes no more Pods, or does so again; one always does. */
export const cordonOrUncordon: UserAction = async ({ client, random }) => {
  const { items } = await client.list(nodes, {});
  const closed = items.filter(({ spec }) => spec.unschedulable === true);
  const open = items.filter(({ spec }) => spec.unschedulable !== true);
  const toClose = open.length > 1 && random.next() < 0.5 ? oneOf(open, random) : undefined;
  const node = toClose ?? oneOf(closed, random);
  if (node === undefined) return;
  const unschedulable = toClose === undefined ? null : true;
  await client.patch(nodes, node.metadata, { type: "merge", body: { spec: { unschedulable } } });
};

/** The Pods of some node have to go elsewhere. */
export const drain: UserAction = async ({ client, random }) => {
  const node = oneOf((await client.list(nodes, {})).items, random)?.metadata.name ?? "";
  const { items } = await client.list(pods, { fieldSelector: `spec.nodeName=${node}` });
  for (const { metadata } of items) await client.delete(pods, metadata);
};
