import { expect, onTestFinished } from "vitest";
import { defaultFeatureGates, type FeatureGates } from "../../src/api/feature-gates.ts";
import type { Deployment, ReplicaSet } from "../../src/api/generated/apps-v1.ts";
import type { Pod } from "../../src/api/generated/core-v1.ts";
import type { Draft } from "../../src/api/object.ts";
import { deletionCostAnnotation } from "../../src/api/deletion-cost.ts";
import { isActive, isTerminal } from "../../src/api/pod-state.ts";
import { deployments, events, namespaces, pods, replicaSets } from "../../src/api/resources.ts";
import { pickerPortFactory } from "../../src/cluster/picker-access.ts";
import {
  type RemovalDecision,
  removalEncoder,
  type RemovalRecord,
} from "../../src/decisions/explain/removal-record.ts";
import { sizeEncoder } from "../../src/decisions/explain/size-record.ts";
import type { Observation } from "../../src/decisions/stock/observation.ts";
import { hasMarkAnnotations } from "../../src/decisions/stock/mark.ts";
import type { Client } from "../../src/machinery/client/client.ts";
import { runController } from "../../src/machinery/controller.ts";
import { DecisionLog } from "../../src/machinery/diagnostics/decision-log.ts";
import { InformerFactory } from "../../src/machinery/informer/informer-factory.ts";
import { seededRandom } from "../../src/machinery/random/random.ts";
import { type SimulatedPicker, simulatedConnector } from "../../src/picker/simulated-picker.ts";
import type { SteeringOptions } from "../../src/steering/dependencies.ts";
import {
  type AdmissionAnswer,
  type AdmissionRequest,
  answerReview,
  readReview,
} from "../../src/steering/admission/review.ts";
import {
  mutatingWebhookConfigurations,
  validatingWebhookConfigurations,
} from "../../src/steering/serving/webhook-configuration.ts";
import { createSteering, type Steering } from "../../src/steering/steering.ts";
import type { SteeringConfig } from "../../src/steering/steering-config.ts";
import { webhooksController } from "../../src/steering/webhooks.ts";
import type {
  WebhookReply,
  WebhookTransport,
} from "../../src/cluster/apiserver/webhooks/webhook-transport.ts";
import { memoryMetrics } from "../../src/testing/memory-metrics.ts";
import { type ObservedClient, observeClient } from "../../src/testing/observe-client.ts";
import { type TestCluster, testCluster } from "../../src/testing/test-cluster.ts";
import { template } from "../deployment/builders.ts";

/** What a stock cluster does not know. */
export const stockGates: Partial<FeatureGates> = {
  PreferForScaleDownLabel: false,
  DownscalePodPicker: false,
  DeploymentPodReplacementPolicy: false,
};

/** One copy of `trimtab steer` beside a cluster. */
export interface Copy {
  readonly steering: Steering;
  readonly line: ObservedClient;
  readonly removals: DecisionLog<RemovalDecision, RemovalRecord>;
  /** Ends it at once, without finishing anything. */
  readonly kill: () => Promise<void>;
}

type Refuses = () => boolean | Promise<boolean>;

export interface VirtualSteering extends Pick<TestCluster, "clock" | "store"> {
  readonly client: Client;
  /** The copies that answer. */
  readonly copies: Copy[];
  readonly metrics: ReturnType<typeof memoryMetrics>;
  /** Of all copies. */
  readonly observations: readonly Observation[];
  /** Starts another copy; the first of them leads. */
  readonly startCopy: () => Promise<Copy>;
  /** Nothing answers any more. */
  readonly takeDown: () => Promise<void>;
  /** From now on the API server refuses writes of ReplicaSets, after the webhook was asked, if this says so. */
  readonly refuse: (refuses: Refuses) => void;
}

export interface VirtualOptions extends Pick<SteeringOptions, "spread" | "mode"> {
  /** Those of the stock cluster. */
  readonly gates?: Partial<FeatureGates>;
  /** Those of `trimtab steer`. */
  readonly steeringGates?: Partial<FeatureGates>;
  readonly nodes?: number;
  readonly seed?: string;
  readonly pickers?: Readonly<Record<string, SimulatedPicker>>;
  /** Absent: one. */
  readonly copies?: number;
  /** How long the API server waits for the webhook; absent: 10. */
  readonly timeoutSeconds?: number;
}

const defaultOptions: Required<Omit<VirtualOptions, "copies">> = {
  gates: {},
  nodes: 3,
  steeringGates: {},
  seed: "steering",
  pickers: {},
  spread: [],
  timeoutSeconds: 10,
  mode: "enforce",
};

/** Starts a stock cluster in virtual time with `trimtab steer` beside it; its webhooks are called in process. */
export async function startSteering(options: VirtualOptions = {}): Promise<VirtualSteering> {
  const { gates, nodes, steeringGates, seed, pickers, spread, timeoutSeconds, mode } = {
    ...defaultOptions,
    ...options,
  };
  const observations: Observation[] = [];
  const copies: Copy[] = [];
  let turn = 0;
  let refuses: Refuses = () => false;
  const transport: WebhookTransport = {
    call: async ({ clientConfig, body, timeoutSeconds }) => {
      const path = new URL(clientConfig.url ?? "").pathname;
      const review = readReview(body);
      if (!review.ok) return { ok: false, why: review.problem };
      if (path === refusing) return reply(review.request, (await refuses()) ? refusal : { allowed: true });
      // As the Service of several copies, in turn.
      const handler = copies[turn++ % copies.length]?.steering.handlers[path];
      if (handler === undefined) return { ok: false, why: "connection refused" };
      return reply(review.request, await handler(review.request, timeoutSeconds * 1000));
    },
  };
  const cluster = await testCluster({
    seed,
    nodes,
    zones: 3,
    gates: { ...stockGates, ...gates },
    webhooks: () => transport,
  });
  await cluster.client.create(validatingWebhookConfigurations, refuser);
  const { clock } = cluster;
  const metrics = memoryMetrics();
  const known = new Map(Object.entries(pickers));
  let started = 0;
  const startCopy = async (): Promise<Copy> => {
    const own = `${seed} copy ${started++}`;
    const copy = await run({
      cluster,
      metrics,
      known,
      config: configOf({ spread, timeoutSeconds, mode }),
      observations,
      isLeading: copies.length === 0,
      gates: steeringGates,
      seed: own,
    });
    copies.push(copy);
    return copy;
  };
  const takeDown = async () => {
    for (const copy of copies.splice(0)) await copy.kill();
  };
  for (let copy = 0; copy < (options.copies ?? 1); copy++) await startCopy();
  await clock.advance(1000);
  onTestFinished(async () => {
    await takeDown();
    await cluster.stop();
  });
  return {
    clock,
    store: cluster.store,
    client: cluster.client,
    copies,
    metrics,
    observations,
    startCopy,
    takeDown,
    refuse: (refusing) => void (refuses = refusing),
  };
}

const url = "https://steer.example";
const refusing = "/refuse";

/** Another webhook, which is asked after ours. */
const refuser = {
  metadata: { name: "somebody-else" },
  webhooks: [
    {
      name: "refuse.example.com",
      clientConfig: { url: `${url}${refusing}` },
      rules: [
        { operations: ["UPDATE"], apiGroups: ["apps"], apiVersions: ["v1"], resources: ["replicasets"] },
      ],
      sideEffects: "None",
      admissionReviewVersions: ["v1"],
      // The first condition makes the API server load its expressions, which virtual time does not wait for.
      matchConditions: [
        { name: "changes-its-size", expression: "object.spec.replicas != oldObject.spec.replicas" },
      ],
    },
  ],
};

const refusal: AdmissionAnswer = {
  allowed: false,
  status: { status: "Failure", code: 409, reason: "Conflict", message: "somebody else was first" },
};

function reply(request: AdmissionRequest, answer: AdmissionAnswer): WebhookReply {
  return { ok: true, statusCode: 200, body: JSON.stringify(answerReview(request, answer)) };
}

interface RunOptions {
  readonly observations: Observation[];
  readonly config: SteeringConfig;
  readonly cluster: TestCluster;
  readonly metrics: ReturnType<typeof memoryMetrics>;
  readonly known: ReadonlyMap<string, SimulatedPicker>;
  readonly isLeading: boolean;
  readonly gates: Partial<FeatureGates>;
  readonly seed: string;
}

async function run(options: RunOptions): Promise<Copy> {
  const { cluster, metrics, known, config, isLeading, gates, seed, observations } = options;
  const { clock, log } = cluster;
  const line = observeClient(cluster.client);
  const random = seededRandom(seed);
  const informers = new InformerFactory({ client: line.client, clock, random, log });
  const stopping = new AbortController();
  const { signal } = stopping;
  const environment = { client: line.client, clock, random, log, metrics, informers, signal };
  const removals = new DecisionLog(removalEncoder);
  const steering = createSteering(environment, {
    gates: () => ({ ...defaultFeatureGates, ...gates }),
    records: { removals, sizes: new DecisionLog(sizeEncoder) },
    pickers: pickerPortFactory(() => simulatedConnector(known, clock)),
    spread: config.spread,
    machineCosts: config.machineCosts,
    mode: config.mode,
    observations: { add: (observation) => void observations.push(observation) },
  });
  const webhooks = webhooksController({
    client: line.client,
    log,
    metrics: steering.metrics,
    config,
    identity: () => ({ certificate: "", key: "" }),
    mutating: informers.of(mutatingWebhookConfigurations),
    validating: informers.of(validatingWebhookConfigurations),
    replicaSets: informers.of(replicaSets),
    namespaces: informers.of(namespaces),
  });
  const specs = [...steering.controllers, ...(isLeading ? [...steering.leading, webhooks] : [])];
  const running = [
    informers.run(signal),
    ...specs.map((spec) => runController(spec, { clock, log }, signal)),
  ];
  await clock.settle();
  expect(await informers.synced(signal)).toBe(true);
  return {
    steering,
    line,
    removals,
    kill: async () => {
      stopping.abort(new Error("killed"));
      await clock.settle();
      await Promise.allSettled(running);
    },
  };
}

function configOf({
  spread,
  timeoutSeconds,
  mode,
}: Pick<SteeringConfig, "spread" | "timeoutSeconds" | "mode">): SteeringConfig {
  return {
    name: "trimtab-steer",
    namespace: "trimtab",
    leftOut: ["kube-system", "trimtab"],
    address: { kind: "url", url },
    port: 0,
    timeoutSeconds,
    certificate: { kind: "secret", namespace: "trimtab", name: "certificate" },
    spread,
    mode,
    machineCosts: ["karpenter.sh/managed-deletion-cost"],
  };
}

export const namespace = "default";
export const at = (name: string) => ({ namespace, name });

/** The active Pods of the label `app`, by name. */
export async function activePods({ client }: VirtualSteering, app = "web"): Promise<readonly Pod[]> {
  const { items } = await client.list(pods, { namespace, labelSelector: `app=${app}` });
  return items.filter(isActive);
}

export const namesOf = (some: readonly { readonly metadata: { readonly name: string } }[]) =>
  some.map(({ metadata }) => metadata.name).toSorted();

/** Changes the size of a Deployment. */
export async function scale(
  { client }: VirtualSteering,
  replicas: number,
  name = "web",
): Promise<Deployment> {
  return client.patch(deployments, at(name), { type: "merge", body: { spec: { replicas } } });
}

export async function replicaSetsOf(
  { client }: VirtualSteering,
  app = "web",
): Promise<readonly ReplicaSet[]> {
  return (await client.list(replicaSets, { namespace, labelSelector: `app=${app}` })).items;
}

/** The events of a reason, as `kind name: message`; many are about a ReplicaSet and its Deployment. */
export async function eventsOf(
  { client }: VirtualSteering,
  reason: string,
  kind?: "Deployment" | "ReplicaSet",
): Promise<readonly string[]> {
  const { items } = await client.list(events, { namespace });
  return items
    .filter(
      (event) => event.reason === reason && (kind ?? event.involvedObject.kind) === event.involvedObject.kind,
    )
    .map(({ involvedObject, message }) => `${involvedObject.kind} ${involvedObject.name}: ${message}`);
}

/** The Pods that carry a mark. */
export async function markedPods(steered: VirtualSteering, app = "web"): Promise<readonly string[]> {
  return namesOf((await activePods(steered, app)).filter(hasMarkAnnotations));
}

/** Creates a Deployment and waits until its Pods are Ready. */
export async function deploy(steered: VirtualSteering, deployment: Draft<Deployment>): Promise<void> {
  await steered.client.create(deployments, deployment);
  await steered.clock.advance(20_000);
}

/** Extremes of the Pods of the label `app` since it was asked for; every commit counts. */
export interface Census {
  mostPods: number;
  mostActive: number;
}

/** Counts Pods from now on: those that run, and those that terminate and have not ended. */
export function startCensus({ store }: VirtualSteering, app = "web"): Census {
  const alive = new Map<string, boolean>();
  const seen: Census = { mostPods: 0, mostActive: 0 };
  store.collection("pods").subscribe({ of: "all" }, (changes) => {
    for (const { type, record } of changes) {
      const pod = record.object as unknown as Pod;
      if (pod.metadata.labels?.["app"] !== app) continue;
      if (type === "DELETED" || isTerminal(pod)) alive.delete(pod.metadata.uid);
      else alive.set(pod.metadata.uid, isActive(pod));
      seen.mostPods = Math.max(seen.mostPods, alive.size);
      seen.mostActive = Math.max(seen.mostActive, [...alive.values()].filter(Boolean).length);
    }
  });
  return seen;
}

/** Gives the Deployment a new template. */
export async function roll(
  { client }: VirtualSteering,
  traits: Parameters<typeof template>[0] = {},
): Promise<void> {
  const body = { spec: { template: template({ image: "web:2", ...traits }) } };
  await client.patch(deployments, at("web"), { type: "merge", body: body as never });
}

/** Whether all Pods are of the new image, and there are so many. */
export async function isRolled(
  steered: VirtualSteering,
  replicas: number,
  image = "web:2",
): Promise<boolean> {
  const { items } = await steered.client.list(pods, { namespace: "default" });
  return items.length === replicas && items.every(({ spec }) => spec.containers[0]?.image === image);
}

/** Sets the deletion cost of a Pod as a person would. */
export async function setCost({ client }: VirtualSteering, name: string, cost: string): Promise<void> {
  const body = { metadata: { annotations: { [deletionCostAnnotation]: cost } } };
  await client.patch(pods, at(name), { type: "merge", body });
}
