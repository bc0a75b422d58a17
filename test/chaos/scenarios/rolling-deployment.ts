import type { Deployment } from "../../../src/api/generated/apps-v1.ts";
import type { PodTemplateSpec } from "../../../src/api/generated/core-v1.ts";
import type { JsonObject } from "../../../src/api/json.ts";
import { isActive } from "../../../src/api/pod-state.ts";
import { deployments, pods } from "../../../src/api/resources.ts";
import type { PodReplacementPolicy } from "../../../src/api/workload-settings.ts";
import type { Client } from "../../../src/machinery/client/client.ts";
import { oneOf, type Random, randomInt } from "../../../src/machinery/random/random.ts";
import type { User, UserAction } from "./scenario.ts";

// One Deployment whose Pods take long to start, to become ready and to terminate, and what users do to its rollouts.

const web = { namespace: "default", name: "web" };
const rollbackTo = "deprecated.deployment.rollback.to";

const policies: readonly (PodReplacementPolicy | undefined)[] = [
  "TerminationComplete",
  "TerminationComplete",
  "TerminationStarted",
  undefined,
];

const seconds = (random: Random, most: number) => `${Math.round(random.next() * most * 10) / 10}s`;

interface PodDelays {
  readonly startDelay?: string;
  readonly readyDelay?: string;
  readonly terminationDelay?: string;
  readonly neverReady?: "true";
}

function drawDelays(random: Random): PodDelays {
  return {
    startDelay: seconds(random, 3),
    readyDelay: seconds(random, 10),
    terminationDelay: random.next() < 0.3 ? "0s" : seconds(random, 40),
  };
}

function template(image: string, delays: PodDelays = {}): PodTemplateSpec {
  const annotations = Object.fromEntries(
    Object.entries(delays).map(([name, value]) => [`sim.trimtab.dev/${name}`, String(value)]),
  );
  return {
    metadata: { labels: { app: "web" }, annotations },
    spec: { containers: [{ name: "web", image }], terminationGracePeriodSeconds: 36_000 },
  };
}

function drawLimits(random: Random) {
  const maxSurge = randomInt(random, 4);
  const maxUnavailable = randomInt(random, 3);
  return { maxSurge, maxUnavailable: maxSurge + maxUnavailable === 0 ? 1 : maxUnavailable };
}

export interface DeploymentTraits {
  /** Absent: any. */
  readonly policy?: PodReplacementPolicy;
  /** Absent: at random. */
  readonly minReadySeconds?: number;
  /** Whether it may also be recreated. */
  readonly mayRecreate: boolean;
}

/** Creates the Deployment with limits, delays and, unless given, a policy at random. */
export const createDeployment =
  ({ policy: given, minReadySeconds, mayRecreate }: DeploymentTraits): UserAction =>
  async ({ client, random }) => {
    const limits = drawLimits(random);
    const policy = given ?? oneOf(policies, random);
    const isRecreated = mayRecreate && random.next() < 0.25;
    await client.create(deployments, {
      metadata: web,
      spec: {
        replicas: 1 + randomInt(random, 6),
        minReadySeconds: minReadySeconds ?? randomInt(random, 2) * 3,
        revisionHistoryLimit: randomInt(random, 4),
        selector: { matchLabels: { app: "web" } },
        template: template("web:0", drawDelays(random)),
        strategy: isRecreated ? { type: "Recreate" } : { type: "RollingUpdate", rollingUpdate: limits },
        ...(policy !== undefined && { podReplacementPolicy: policy }),
      },
    });
  };

const read = (client: Client) => client.get(deployments, web);

function merge(client: Client, body: JsonObject): Promise<Deployment> {
  return client.patch(deployments, web, { type: "merge", body });
}

function replaceTemplate(client: Client, value: PodTemplateSpec): Promise<Deployment> {
  const operations = [{ op: "replace", path: "/spec/template", value: value as JsonObject }];
  return client.patch(deployments, web, { type: "json", operations });
}

/** Rolls out a new image, now and then one whose Pods never become ready. */
export const rollOutImage: UserAction = async ({ client, random }) => {
  const { metadata } = await read(client);
  const delays = drawDelays(random);
  const isBroken = random.next() < 0.15;
  const image = `web:${(metadata.generation ?? 0) + 1}`;
  await replaceTemplate(client, template(image, isBroken ? { ...delays, neverReady: "true" } : delays));
};

export const undo: UserAction = ({ client }) =>
  merge(client, { metadata: { annotations: { [rollbackTo]: "0" } } });

export const pause: UserAction = ({ client }) => merge(client, { spec: { paused: true } });
export const resume: UserAction = ({ client }) => merge(client, { spec: { paused: false } });

export const scaleUp: UserAction = async ({ client, random }) => {
  const { replicas = 1 } = (await read(client)).spec;
  await merge(client, { spec: { replicas: replicas + randomInt(random, 5) } });
};

export const scaleToAnySize: UserAction = ({ client, random }) =>
  merge(client, { spec: { replicas: randomInt(random, 9) } });

async function setLimits({ client }: User, limits: ReturnType<typeof drawLimits>): Promise<void> {
  const { strategy } = (await read(client)).spec;
  if (strategy?.type !== "Recreate") await merge(client, { spec: { strategy: { rollingUpdate: limits } } });
}

export const raiseSurge: UserAction = async (user) => {
  const { rollingUpdate } = (await read(user.client)).spec.strategy ?? {};
  const maxSurge = Number(rollingUpdate?.maxSurge ?? 0) + randomInt(user.random, 2);
  await setLimits(user, { maxSurge, maxUnavailable: 1 });
};

export const changeLimits: UserAction = (user) => setLimits(user, drawLimits(user.random));

export const changePolicy: UserAction = ({ client, random }) =>
  merge(client, { spec: { podReplacementPolicy: oneOf(policies, random) ?? null } });

/** Deletes some of the Pods, as an eviction does. */
export const evictPods: UserAction = async ({ client, random }) => {
  const share = random.next();
  const body = { metadata: { annotations: { "sim.trimtab.dev/terminationDelay": seconds(random, 40) } } };
  const { items } = await client.list(pods, { namespace: web.namespace });
  for (const { metadata } of items.filter(isActive)) {
    if (random.next() > share) continue;
    await client.patch(pods, metadata, { type: "merge", body });
    await client.delete(pods, metadata);
  }
};

/** Sees to it that the Deployment is not paused and that its Pods can become ready. */
export const letComplete: UserAction = async ({ client }) => {
  await merge(client, { metadata: { annotations: { [rollbackTo]: null } }, spec: { paused: false } });
  const { spec } = await read(client);
  if (spec.template.metadata?.annotations?.["sim.trimtab.dev/neverReady"] !== "true") return;
  await replaceTemplate(client, template("web:working"));
};
