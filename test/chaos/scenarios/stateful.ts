import type { StatefulSet, StatefulSetSpec } from "../../../src/api/generated/apps-v1.ts";
import type { JsonObject } from "../../../src/api/json.ts";
import { controllerOf } from "../../../src/api/owner-references.ts";
import { pods, statefulSets } from "../../../src/api/resources.ts";
import { oneOf, type Random, randomInt } from "../../../src/machinery/random/random.ts";
import type { User, UserStep } from "./scenario.ts";

// StatefulSets that are scaled, moved to other ordinals and rolled out one image after the other.

const at = (name: string) => ({ namespace: "default", name });

function drawSpec(name: string, random: Random): StatefulSetSpec {
  const labels = { app: name };
  const annotations = {
    "sim.trimtab.dev/startDelay": `${randomInt(random, 5000)}ms`,
    "sim.trimtab.dev/terminationDelay": `${randomInt(random, 20_000)}ms`,
  };
  return {
    replicas: 1 + randomInt(random, 5),
    serviceName: name,
    selector: { matchLabels: labels },
    podManagementPolicy: oneOf(["OrderedReady", "OrderedReady", "Parallel"], random) ?? "OrderedReady",
    updateStrategy: drawStrategy(random),
    minReadySeconds: oneOf([0, 0, 5], random) ?? 0,
    revisionHistoryLimit: randomInt(random, 4),
    template: {
      metadata: { labels, annotations },
      spec: { containers: [{ name: "app", image: "registry.example/db:1" }] },
    },
  };
}

function drawStrategy(random: Random) {
  if (random.next() < 0.1) return { type: "OnDelete" };
  const partition = oneOf([0, 0, 1, 2], random) ?? 0;
  // The API server drops the second while its gate is off.
  return { type: "RollingUpdate", rollingUpdate: { partition, maxUnavailable: 1 + randomInt(random, 3) } };
}

/** Claims from a template, and what becomes of them. */
function drawClaims(random: Random): Partial<StatefulSetSpec> {
  const resources = { requests: { storage: "1Gi" } };
  return {
    volumeClaimTemplates: [
      {
        // A template has no more metadata than this, though its type says so.
        metadata: { name: "data" } as never,
        spec: { accessModes: ["ReadWriteOnce"], resources },
      },
    ],
    persistentVolumeClaimRetentionPolicy: drawRetention(random),
  };
}

function drawRetention(random: Random) {
  const draw = () => oneOf(["Retain", "Delete"], random) ?? "Retain";
  return { whenScaled: draw(), whenDeleted: draw() };
}

/** Creates StatefulSets of these names, whose Pods have claims. */
export const createWithClaims =
  (names: readonly string[]): UserStep =>
  async ({ client, random }) => {
    for (const name of names) {
      const spec = { ...drawSpec(name, random), ...drawClaims(random) };
      await client.create(statefulSets, { metadata: at(name), spec });
    }
  };

/** Creates StatefulSets of these names. */
export const createStatefulSets =
  (names: readonly string[]): UserStep =>
  async ({ client, random }) => {
    for (const name of names)
      await client.create(statefulSets, { metadata: at(name), spec: drawSpec(name, random) });
  };

async function someSet({ client, random }: User): Promise<StatefulSet | undefined> {
  return oneOf((await client.list(statefulSets, {})).items, random);
}

const change =
  (draw: (random: Random) => JsonObject): UserStep =>
  async (user) => {
    const chosen = await someSet(user);
    if (chosen === undefined) return;
    const { name } = chosen.metadata;
    const patch = { type: "strategic", body: { spec: draw(user.random) } } as const;
    await user.perform({ action: "patch", kind: statefulSets.kind, ...at(name), patch });
  };

/** Some StatefulSet gets another image, or one that it had before. */
export const rollOutDatabase = change((random) => ({
  template: {
    spec: { containers: [{ name: "app", image: `registry.example/db:${1 + randomInt(random, 4)}` }] },
  },
}));

/** Some StatefulSet gets another size. */
export const rescaleDatabase = change((random) => ({ replicas: randomInt(random, 6) }));

/** Some StatefulSet gets other ordinals. */
export const moveOrdinals = change((random) => ({ ordinals: { start: randomInt(random, 3) } }));

/** Some StatefulSet is updated down to another ordinal, or only by hand. */
export const changeUpdates = change((random) => ({
  updateStrategy: { $patch: "replace", ...drawStrategy(random) },
}));

/** Other claims of some StatefulSet go with it or with its Pods. */
export const changeRetention = change((random) => ({
  persistentVolumeClaimRetentionPolicy: drawRetention(random),
}));

/** Some Pod of a StatefulSet is deleted. */
export const deleteOrdinal: UserStep = async ({ client, random, perform }) => {
  const { items } = await client.list(pods, {});
  const chosen = oneOf(
    items.filter((each) => controllerOf(each)?.kind === statefulSets.kind),
    random,
  );
  if (chosen === undefined) return;
  await perform({ action: "delete", kind: pods.kind, ...at(chosen.metadata.name) });
};

/** Some StatefulSet goes, its Pods with it or without it, and another one of its name comes. */
export const replaceStatefulSet: UserStep = async (user) => {
  const chosen = await someSet(user);
  if (chosen === undefined) return;
  const propagationPolicy = oneOf(["Background", "Orphan"] as const, user.random) ?? "Background";
  const { name } = chosen.metadata;
  await user.perform({ action: "delete", kind: statefulSets.kind, ...at(name), propagationPolicy });
  await user.client.create(statefulSets, { metadata: at(name), spec: drawSpec(name, user.random) });
};
