import type { DaemonSet, DaemonSetSpec } from "../../../src/api/generated/apps-v1.ts";
import type { Node } from "../../../src/api/generated/core-v1.ts";
import type { JsonObject } from "../../../src/api/json.ts";
import { controllerOf } from "../../../src/api/owner-references.ts";
import { daemonSets, nodes, pods } from "../../../src/api/resources.ts";
import { oneOf, type Random, randomInt } from "../../../src/machinery/random/random.ts";
import type { User, UserStep } from "./scenario.ts";

// DaemonSets that are rolled out one image after the other, on nodes that match and do not.

const at = (name: string) => ({ namespace: "default", name });

function drawSpec(name: string, random: Random): DaemonSetSpec {
  const labels = { app: name };
  const annotations = {
    "sim.trimtab.dev/startDelay": `${randomInt(random, 5000)}ms`,
    "sim.trimtab.dev/terminationDelay": `${randomInt(random, 20_000)}ms`,
  };
  return {
    selector: { matchLabels: labels },
    updateStrategy: { type: "RollingUpdate", rollingUpdate: drawBudget(random) },
    minReadySeconds: oneOf([0, 0, 5], random) ?? 0,
    revisionHistoryLimit: randomInt(random, 4),
    template: {
      metadata: { labels, annotations },
      spec: {
        ...(random.next() < 0.3 && { nodeSelector: { disk: "ssd" } }),
        containers: [{ name: "app", image: "registry.example/agent:1" }],
      },
    },
  };
}

function drawBudget(random: Random) {
  const amount = oneOf([1, 1, 2, "50%"], random) ?? 1;
  return random.next() < 0.5
    ? { maxUnavailable: amount, maxSurge: 0 }
    : { maxUnavailable: 0, maxSurge: amount };
}

/** Creates DaemonSets of these names, unless they are there. */
export const createDaemonSets =
  (names: readonly string[]): UserStep =>
  async ({ client, random }) => {
    for (const name of names)
      await client.create(daemonSets, { metadata: at(name), spec: drawSpec(name, random) });
  };

async function someSet({ client, random }: User): Promise<DaemonSet | undefined> {
  return oneOf((await client.list(daemonSets, {})).items, random);
}

const change =
  (draw: (random: Random) => JsonObject): UserStep =>
  async (user) => {
    const chosen = await someSet(user);
    if (chosen === undefined) return;
    const { name } = chosen.metadata;
    const patch = { type: "strategic", body: { spec: draw(user.random) } } as const;
    await user.perform({ action: "patch", kind: daemonSets.kind, ...at(name), patch });
  };

/** Changes the image of a random DaemonSet to a new or an earlier one. */
export const rollOutAgent = change((random) => ({
  template: {
    spec: { containers: [{ name: "app", image: `registry.example/agent:${1 + randomInt(random, 4)}` }] },
  },
}));

/** Changes the update strategy of a random DaemonSet. */
export const changeBudget = change((random) => ({
  updateStrategy: { type: "RollingUpdate", rollingUpdate: drawBudget(random) },
}));

/** Adds or removes a label or taint of a random node that matters to DaemonSets. */
export const changeNode: UserStep = async ({ client, random }) => {
  const chosen = oneOf((await client.list(nodes, {})).items, random);
  if (chosen === undefined) return;
  const body =
    random.next() < 0.5 ? { metadata: { labels: { disk: otherDisk(chosen) } } } : retainted(chosen, random);
  await client.patch(nodes, { name: chosen.metadata.name }, { type: "merge", body });
};

function otherDisk({ metadata }: Node): string | null {
  return metadata.labels?.["disk"] === undefined ? "ssd" : null;
}

function retainted(node: Node, random: Random): JsonObject {
  const others = otherTaints(node);
  const effect = oneOf(["NoSchedule", "NoExecute"], random) ?? "NoSchedule";
  const isTainted = others.length < (node.spec?.taints ?? []).length;
  return { spec: { taints: isTainted ? others : [...others, { key: "dedicated", effect }] } };
}

/** The taints of a node that users have not given it. */
function otherTaints({ spec }: Node) {
  return (spec?.taints ?? []).filter(({ key }) => key !== "dedicated").map((taint) => ({ ...taint }));
}

/** Removes the taints: a Pod whose node was tainted before it was bound would wait for ever. */
export const untaintNodes: UserStep = async ({ client }) => {
  for (const node of (await client.list(nodes, {})).items) {
    const taints = otherTaints(node);
    if (taints.length === (node.spec?.taints ?? []).length) continue;
    await client.patch(nodes, { name: node.metadata.name }, { type: "merge", body: { spec: { taints } } });
  }
};

/** Deletes a random Pod of a DaemonSet. */
export const deleteDaemonPod: UserStep = async ({ client, random, perform }) => {
  const { items } = await client.list(pods, {});
  const chosen = oneOf(
    items.filter((each) => controllerOf(each)?.kind === daemonSets.kind),
    random,
  );
  if (chosen === undefined) return;
  await perform({ action: "delete", kind: pods.kind, ...at(chosen.metadata.name) });
};

/** Deletes a random DaemonSet, with or without its Pods, and creates another of its name. */
export const replaceDaemonSet: UserStep = async (user) => {
  const chosen = await someSet(user);
  if (chosen === undefined) return;
  const propagationPolicy = oneOf(["Background", "Orphan"] as const, user.random) ?? "Background";
  const { name } = chosen.metadata;
  await user.perform({ action: "delete", kind: daemonSets.kind, ...at(name), propagationPolicy });
  await user.client.create(daemonSets, { metadata: at(name), spec: drawSpec(name, user.random) });
};
