import type { PodTemplateSpec } from "../../../src/api/generated/core-v1.ts";
import type { JsonObject } from "../../../src/api/json.ts";
import { isActive } from "../../../src/api/pod-state.ts";
import { deployments, pods } from "../../../src/api/resources.ts";
import type { PodReplacementPolicy } from "../../../src/api/workload-settings.ts";
import { rollbackAnnotation } from "../../../src/decisions/rollout/annotations.ts";
import type { Client } from "../../../src/machinery/client/client.ts";
import { oneOf, type Random, randomInt } from "../../../src/machinery/random/random.ts";
import type { UserAction } from "../../../src/user-actions/user-action.ts";
import type { User, UserStep } from "./scenario.ts";

// One Deployment whose Pods take long to start, to become ready and to terminate, and what users do to its rollouts.

const web = { namespace: "default", name: "web" };

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
  ({ policy: given, minReadySeconds, mayRecreate }: DeploymentTraits): UserStep =>
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

const deployment = { kind: deployments.kind, ...web };

const read = (client: Client) => client.get(deployments, web);

const merge = (spec: JsonObject): UserAction => ({
  action: "patch",
  ...deployment,
  patch: { type: "merge", body: { spec } },
});

const setTemplate = (value: PodTemplateSpec): UserAction => ({
  action: "set-template",
  ...deployment,
  template: value as JsonObject,
});

/** Rolls out a new image, now and then one whose Pods never become ready. */
export const rollOutImage: UserStep = async ({ client, random, perform }) => {
  const { metadata } = await read(client);
  const delays = drawDelays(random);
  const isBroken = random.next() < 0.15;
  const image = `web:${(metadata.generation ?? 0) + 1}`;
  await perform(setTemplate(template(image, isBroken ? { ...delays, neverReady: "true" } : delays)));
};

/** Rolls back, as kubectl does or by the annotation with which older clients ask the controller for it. */
export const undo: UserStep = ({ random, perform }) =>
  random.next() < 0.5
    ? perform({ action: "undo", ...deployment })
    : perform({ action: "annotate", ...deployment, annotations: { [rollbackAnnotation]: "0" } });

export const pause: UserStep = ({ perform }) => perform({ action: "pause", ...deployment });
export const resume: UserStep = ({ perform }) => perform({ action: "resume", ...deployment });

export const scaleUp: UserStep = async ({ client, random, perform }) => {
  const { replicas = 1 } = (await read(client)).spec;
  await perform({ action: "scale", ...deployment, replicas: replicas + randomInt(random, 5) });
};

export const scaleToAnySize: UserStep = ({ random, perform }) =>
  perform({ action: "scale", ...deployment, replicas: randomInt(random, 9) });

async function setLimits({ client, perform }: User, limits: ReturnType<typeof drawLimits>): Promise<void> {
  const { strategy } = (await read(client)).spec;
  if (strategy?.type !== "Recreate") await perform(merge({ strategy: { rollingUpdate: limits } }));
}

export const raiseSurge: UserStep = async (user) => {
  const { rollingUpdate } = (await read(user.client)).spec.strategy ?? {};
  const maxSurge = Number(rollingUpdate?.maxSurge ?? 0) + randomInt(user.random, 2);
  await setLimits(user, { maxSurge, maxUnavailable: 1 });
};

export const changeLimits: UserStep = (user) => setLimits(user, drawLimits(user.random));

export const changePolicy: UserStep = ({ random, perform }) =>
  perform(merge({ podReplacementPolicy: oneOf(policies, random) ?? null }));

/** Evicts some of the Pods, which then take their time to end. */
export const evictPods: UserStep = async ({ client, random, perform }) => {
  const share = random.next();
  const annotations = { "sim.trimtab.dev/terminationDelay": seconds(random, 40) };
  const { items } = await client.list(pods, { namespace: web.namespace });
  for (const { metadata } of items.filter(isActive)) {
    if (random.next() > share) continue;
    const pod = { namespace: web.namespace, name: metadata.name };
    await perform({ action: "annotate", kind: pods.kind, ...pod, annotations });
    await perform({ action: "evict", ...pod });
  }
};

/** Deletes up to four Pods by hand, one request after the other, and scales up now and then before they are all sent. */
export const deletePods: UserStep = async (user) => {
  const { client, random, perform } = user;
  const { items } = await client.list(pods, { namespace: web.namespace });
  const scaleBefore = randomInt(random, 5);
  for (const [index, { metadata }] of items.filter(isActive).slice(0, 4).entries()) {
    if (index === scaleBefore) await scaleUp(user);
    await perform({ action: "delete", kind: pods.kind, namespace: web.namespace, name: metadata.name });
  }
};

/** Sees to it that the Deployment is not paused and that its Pods can become ready. */
export const letComplete: UserStep = async ({ client, perform }) => {
  await perform({ action: "annotate", ...deployment, annotations: { [rollbackAnnotation]: null } });
  await perform({ action: "resume", ...deployment });
  const { spec } = await read(client);
  if (spec.template.metadata?.annotations?.["sim.trimtab.dev/neverReady"] !== "true") return;
  await perform(setTemplate(template("web:working")));
};
