import type { Deployment, ReplicaSet } from "../../src/api/generated/apps-v1.ts";
import type {
  Node,
  Pod,
  PodSpec,
  PodTemplateSpec,
  ReplicationController,
  Service,
} from "../../src/api/generated/core-v1.ts";
import { formatTime, parseTime } from "../../src/api/time.ts";
import { downscalePodPickerAnnotation, scaleDownSpreadAnnotation } from "../../src/api/workload-settings.ts";
import { preferredLabel } from "../../src/decisions/downscale/rules.ts";
import { type ClusterObjects, noObjects } from "../../src/decisions/explain/cluster-objects.ts";
import { admittedPod } from "../../src/decisions/explain/hypothetical-pod.ts";
import { removalOrderAnnotation } from "../../src/api/workload-settings.ts";
import { oneOf, type Random, randomInt } from "../../src/machinery/random/random.ts";
import { permanentFailure } from "../../src/picker/picker-failure.ts";
import { scoringPicker, type SimulatedPicker } from "../../src/picker/simulated-picker.ts";
import { deployment } from "../../src/testing/deployment.ts";
import { node } from "../../src/testing/node.ts";
import { pod, type PodTraits } from "../../src/testing/pod.ts";
import { replicaSet } from "../../src/testing/replica-set.ts";

export const namespace = "default";
export const now = parseTime("2026-01-02T00:00:00Z") ?? 0;

/** Whose size is changed; `revision` is one of two ReplicaSets of a Deployment. */
export const shapes = ["Deployment", "revision", "ReplicaSet", "ReplicationController"] as const;
export type Shape = (typeof shapes)[number];

/** A cluster, and a scale-down of one of its workloads. */
export interface RandomScaleDown {
  readonly shape: Shape;
  readonly objects: ClusterObjects;
  readonly workload: {
    readonly kind: "Deployment" | "ReplicaSet" | "ReplicationController";
    readonly namespace: string;
    readonly name: string;
  };
  readonly replicas: number;
  /** The picker of the workload, if it has one. */
  readonly picker?: SimulatedPicker;
  /** Whether the Pods stay as they are while nothing is done: no scheduler or kubelet has work with them. */
  readonly isCalm: boolean;
}

export const pickerHost = "picker.example";

/** Draws a cluster in which a scale-down has something to choose. */
export function randomScaleDown(random: Random): RandomScaleDown {
  const shape = oneOf(shapes, random) ?? "Deployment";
  const isCalm = random.next() < 0.6;
  const nodes = randomNodes(random);
  const picker = shape === "ReplicationController" ? undefined : randomPicker(random);
  const annotations = randomAnnotations(picker, random);
  const draw: PodDraw = {
    random,
    nodes,
    isCalm,
    spec: randomSpread(random),
    isPriced: random.next() < 0.4,
    isLabelled: random.next() < 0.4,
  };
  const pods = Array.from({ length: 3 + randomInt(random, 10) }, (_, index) =>
    ownPod(`${ownerName}-${index}`, shape, draw),
  );
  const size = pods.length;
  const old = shape === "revision" ? oldPods(draw) : [];
  return {
    shape,
    workload: { namespace, ...workloadNames[shape] },
    replicas: 1 + randomInt(random, size - 1),
    isCalm,
    ...(picker !== undefined && { picker }),
    objects: {
      ...noObjects,
      nodes,
      services: random.next() < 0.5 ? [service] : [],
      pods: [...pods, ...old, ...otherPods(draw)],
      ...ownersOf(shape, { size, oldSize: old.length, annotations, spec: draw.spec }),
    },
  };
}

const ownerName = "web-1";

const workloadNames = {
  Deployment: { kind: "Deployment", name: "web" },
  revision: { kind: "ReplicaSet", name: ownerName },
  ReplicaSet: { kind: "ReplicaSet", name: ownerName },
  ReplicationController: { kind: "ReplicationController", name: ownerName },
} as const;

const service: Service = {
  apiVersion: "v1",
  kind: "Service",
  metadata: { name: "web", namespace, uid: "uid-of-service", resourceVersion: "1" },
  spec: { selector: { app: "web" }, clusterIP: "None" },
};

function randomNodes(random: Random): readonly Node[] {
  const zones = 1 + randomInt(random, 3);
  return Array.from({ length: 3 + randomInt(random, 5) }, (_, index) =>
    node(`node-${index}`, random.next() < 0.1 ? {} : { zone: `zone-${randomInt(random, zones)}` }),
  );
}

type Annotations = Readonly<Record<string, string>>;

function randomAnnotations(picker: SimulatedPicker | undefined, random: Random): Annotations {
  const spread = oneOf([undefined, "true", "true", "false", "perhaps"], random);
  const asked = JSON.stringify({ http: { host: pickerHost, port: 80 }, timeoutSeconds: 1, maxRetries: 0 });
  return {
    // Of those that Trimtab's own controllers ignore; `trimtab steer` needs it.
    [removalOrderAnnotation]: "trimtab",
    ...(spread !== undefined && { [scaleDownSpreadAnnotation]: spread }),
    ...(picker !== undefined && { [downscalePodPickerAnnotation]: asked }),
  };
}

function randomPicker(random: Random): SimulatedPicker | undefined {
  const seed = 1 + randomInt(random, 1000);
  const score = (name: string) => (name.charCodeAt(name.length - 1) * seed) % 7;
  const pickers: readonly (SimulatedPicker | undefined)[] = [
    undefined,
    undefined,
    undefined,
    scoringPicker(score),
    scoringPicker(score),
    { pick: () => ({ chosen_pods: [] }) },
    { pick: () => permanentFailure("Refused") },
  ];
  return oneOf(pickers, random);
}

function randomSpread(random: Random): Partial<PodSpec> {
  if (random.next() < 0.5) return {};
  const keys = ["topology.kubernetes.io/zone", "kubernetes.io/hostname"];
  const constraintOf = (topologyKey: string) => ({
    maxSkew: 1 + randomInt(random, 2),
    topologyKey,
    whenUnsatisfiable: oneOf(["DoNotSchedule", "ScheduleAnyway"], random) ?? "ScheduleAnyway",
    labelSelector: { matchLabels: { app: random.next() < 0.9 ? "web" : "api" } },
  });
  return { topologySpreadConstraints: keys.slice(0, 1 + randomInt(random, 2)).map(constraintOf) };
}

interface PodDraw {
  readonly random: Random;
  readonly nodes: readonly Node[];
  readonly isCalm: boolean;
  readonly spec: Partial<PodSpec>;
  /** Whether some Pods have deletion costs, and whether some are preferred by their label. */
  readonly isPriced: boolean;
  readonly isLabelled: boolean;
}

function randomTraits({ random, nodes, isCalm, isPriced, spec }: PodDraw): PodTraits {
  const before = (mostSeconds: number) => formatTime(now - 1000 * (1 + randomInt(random, mostSeconds)));
  return {
    spec,
    node: oneOf(nodes, random)?.metadata.name ?? null,
    ...(isCalm ? {} : restlessTraits(random)),
    readyAt: before(oneOf([100, 10_000, 80_000], random) ?? 100),
    createdAt: formatTime(now - 86_000_000 - 1000 * randomInt(random, 4)),
    restarts: random.next() < 0.2 ? randomInt(random, 4) : 0,
    ...(isPriced && random.next() < 0.5 && { deletionCost: oneOf(["-5", "0", "7", "seven"], random) ?? "0" }),
  };
}

/** A Pod that waits for a node or does not run, or one that may be ready or not. */
function restlessTraits(random: Random): PodTraits {
  if (random.next() < 0.15) return { node: null, phase: "Pending", ready: false };
  const phases = ["Running", "Running", "Pending", "Unknown"];
  return { phase: oneOf(phases, random) ?? "Running", ready: random.next() < 0.8 };
}

/** A Pod of the workload; an orphan that it adopts is one as well. */
function ownPod(name: string, shape: Shape, draw: PodDraw): Pod {
  const isController = shape === "ReplicationController";
  const owner = isController
    ? { apiVersion: "v1", kind: "ReplicationController", name: ownerName }
    : { apiVersion: "apps/v1", kind: "ReplicaSet", name: ownerName };
  const traits = randomTraits(draw);
  const isOrphan = draw.random.next() < 0.05;
  const preferred = draw.isLabelled && draw.random.next() < 0.3 ? { [preferredLabel]: "" } : {};
  const labels = { ...preferred, "pod-template-hash": ownerName };
  return stored(pod(name, { ...traits, labels, ...(isOrphan ? {} : { owner }) }));
}

const oldName = "web-0";

/** The Pods of the other revision. */
function oldPods(draw: PodDraw): readonly Pod[] {
  const owner = { apiVersion: "apps/v1", kind: "ReplicaSet", name: oldName };
  return calmPods("old", { labels: { "pod-template-hash": oldName }, owner }, draw);
}

/** Pods of other workloads; some of them look like those of the workload. */
function otherPods(draw: PodDraw): readonly Pod[] {
  const owner = { apiVersion: "apps/v1", kind: "ReplicaSet", name: "elsewhere" };
  return [
    ...calmPods("stranger", { labels: { app: "api" }, owner }, draw),
    ...calmPods("lookalike", { labels: { "pod-template-hash": ownerName }, owner }, draw),
  ];
}

/** A Pod with all defaults, which can be written: an orphan is adopted, and `trimtab steer` marks Pods. */
function stored(one: Pod): Pod {
  return { ...one, spec: admittedPod(one, noObjects).spec };
}

function calmPods(name: string, traits: PodTraits, draw: PodDraw): readonly Pod[] {
  return Array.from({ length: randomInt(draw.random, 5) }, (_, index) =>
    stored(pod(`${name}-${index}`, { ...randomTraits({ ...draw, isCalm: true }), ...traits })),
  );
}

interface OwnerDraw {
  readonly size: number;
  readonly oldSize: number;
  readonly annotations: Annotations;
  readonly spec: Partial<PodSpec>;
}

function ownersOf(
  shape: Shape,
  { size, oldSize, annotations, spec }: OwnerDraw,
): Pick<ClusterObjects, "deployments" | "replicaSets" | "replicationControllers"> {
  if (shape === "ReplicationController")
    return { deployments: [], replicaSets: [], replicationControllers: [controller(size, annotations)] };
  if (shape === "ReplicaSet") {
    const lone = withTemplate(replicaSet(ownerName, { size, annotations }), spec);
    return { deployments: [], replicaSets: [lone], replicationControllers: [] };
  }
  const traits = { owner: "web", desired: size, max: size + Math.ceil(size / 4), annotations };
  const current = withTemplate(replicaSet(ownerName, { ...traits, size, revision: 2 }), spec);
  const old = replicaSet(oldName, { ...traits, size: oldSize, revision: 1, image: "registry.example/app:0" });
  return {
    deployments: [withTemplate(deployment("web", { replicas: size, annotations }), spec)],
    replicaSets: shape === "revision" ? [current, old] : [current],
    replicationControllers: [],
  };
}

function withTemplate<T extends Deployment | ReplicaSet>(owner: T, spec: Partial<PodSpec>): T {
  const template: PodTemplateSpec | undefined = owner.spec.template;
  if (template?.spec === undefined) return owner;
  return {
    ...owner,
    spec: { ...owner.spec, template: { ...template, spec: { ...template.spec, ...spec } } },
  };
}

function controller(size: number, annotations: Annotations): ReplicationController {
  const { metadata, spec, status } = replicaSet(ownerName, { size, annotations });
  const selector = { app: "web", "pod-template-hash": ownerName };
  const { template } = spec;
  return {
    apiVersion: "v1",
    kind: "ReplicationController",
    metadata,
    spec: { replicas: size, selector, ...(template && { template }) },
    status: { replicas: status?.replicas ?? 0 },
  };
}
