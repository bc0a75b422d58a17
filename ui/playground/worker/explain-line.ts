import type { Draft } from "../../../src/api/object.ts";
import type { Pod } from "../../../src/api/generated/core-v1.ts";
import {
  readObject,
  type Topic,
  topicKinds,
  unknownNode,
  unknownObject,
} from "../../../src/cli/explain/object-argument.ts";
import type { AssumedScheduler } from "../../../src/decisions/explain/assumed-scheduler.ts";
import type { ClusterObjects } from "../../../src/decisions/explain/cluster-objects.ts";
import { daemonPlacementText } from "../../../src/decisions/explain/daemon-placement-text.ts";
import { daemonSetText } from "../../../src/decisions/explain/daemon-set-text.ts";
import {
  daemonPodFor,
  explainDaemonPlacement,
} from "../../../src/decisions/explain/explain-daemon-placement.ts";
import { explainDaemonSet } from "../../../src/decisions/explain/explain-daemon-set.ts";
import { explainPodPlacement } from "../../../src/decisions/explain/explain-pod-placement.ts";
import { explainRollout } from "../../../src/decisions/explain/explain-rollout.ts";
import { explainScaleDown } from "../../../src/decisions/explain/explain-scale-down.ts";
import { explainStatefulSet } from "../../../src/decisions/explain/explain-stateful-set.ts";
import { admittedPod, findPodToPlace } from "../../../src/decisions/explain/hypothetical-pod.ts";
import type { ExplainedObject } from "../../../src/decisions/explain/object-reference.ts";
import { placementText } from "../../../src/decisions/explain/placement-text.ts";
import { rolloutText } from "../../../src/decisions/explain/rollout-text.ts";
import { scaleDownText } from "../../../src/decisions/explain/scale-down-text.ts";
import { statefulSetText } from "../../../src/decisions/explain/stateful-set-text.ts";
import type { TextOptions } from "../../../src/decisions/explain/text-table.ts";
import { type FlagReader, flagReader, type LineFlags } from "../../../src/kubectl/line/flag.ts";
import { readLine } from "../../../src/kubectl/line/read-line.ts";
import { spreadDefaultsOf } from "../../../src/scheduler/configuration/current-config.ts";
import { pluginRegistry } from "../../../src/scheduler/configuration/plugin-registry.ts";
import { createProfile } from "../../../src/scheduler/profile.ts";
import { schedulerNameOf } from "../../../src/scheduler/scheduler-name.ts";
import { checkManifests } from "./check-manifests.ts";
import { LineRefusal } from "./line-refusal.ts";
import type { PlaySession } from "./play-session.ts";

export const topics = Object.keys(topicKinds) as readonly Topic[];

export const explainFlags: LineFlags = {
  namespace: { type: "string", short: "n", default: "default" },
  output: { type: "string", short: "o", choices: ["wide", "json"] },
  replicas: { type: "string" },
  node: { type: "string" },
  filename: { type: "string", short: "f" },
};

/** The cluster that is asked about. */
export interface ExplainedCluster {
  readonly session: PlaySession;
  readonly objects: ClusterObjects;
  /** What `-f manifest.yaml` reads. */
  readonly manifest: string;
}

/** A question about an object of it. */
interface Asked extends ExplainedCluster {
  readonly topic: Topic;
  readonly workload: ExplainedObject;
  readonly now: number;
  readonly flags: FlagReader;
}

/** An explanation, as JSON and as sentences. */
interface Told {
  readonly explanation: object;
  readonly text: (options: TextOptions) => string;
}

/** Explains what `trimtab explain TOPIC OBJECT` asks; throws a `LineRefusal`. */
export function explainIn(words: readonly string[], cluster: ExplainedCluster): string {
  const { operands, values } = readLine(words, explainFlags, "explain");
  const flags = flagReader(explainFlags, values);
  const [topicText = "", ...named] = operands;
  const topic = topics.find((each) => each === topicText);
  if (topic === undefined) throw new LineRefusal(`say what to explain: ${topics.join(", ")}`);
  const now = cluster.session.clock.now();
  const namespace = flags.text("namespace");
  const told = flags.isGiven("filename")
    ? placeFile({ ...cluster, topic, now, flags, workload: { kind: "Pod", namespace, name: "" } }, named)
    : explainNamed({ ...cluster, topic, now, flags, workload: { ...objectIn(named, topic), namespace } });
  return flags.text("output") === "json"
    ? JSON.stringify(told.explanation, undefined, 2)
    : told.text({ isWide: flags.text("output") === "wide" });
}

function objectIn(named: readonly string[], topic: Topic): Omit<ExplainedObject, "namespace"> {
  const read = readObject(named, topic);
  if (!read.ok) throw new LineRefusal(read.problem);
  return { kind: read.kind, name: read.name };
}

function explainNamed(asked: Asked): Told {
  const { topic, workload, objects, flags } = asked;
  if (flags.isGiven("node") && (topic !== "placement" || workload.kind !== "DaemonSet"))
    throw new LineRefusal("--node is for explain placement of a DaemonSet");
  if (flags.isGiven("replicas") && topic !== "scale-down")
    throw new LineRefusal("--replicas is for explain scale-down");
  const told = tellerOf(asked)(asked);
  if (told === undefined) throw new LineRefusal(unknownObject(objects, workload));
  return told;
}

function tellerOf({ topic, workload }: Asked): (asked: Asked) => Told | undefined {
  if (workload.kind === "StatefulSet") return statefulSet;
  if (workload.kind === "DaemonSet") return daemonSet;
  if (topic === "rollout") return rollout;
  return topic === "scale-down" ? scaleDown : placement;
}

function rollout({ objects, workload, now, session }: Asked): Told | undefined {
  const explanation = explainRollout(objects, { workload, now, embeddedGates: session.started.run.gates });
  return explanation && { explanation, text: (options) => rolloutText(explanation, options) };
}

function scaleDown({ objects, workload, now, session, flags }: Asked): Told | undefined {
  const explanation = explainScaleDown(objects, {
    workload,
    now,
    replicas: replicasIn(flags),
    embeddedGates: session.started.run.gates,
    spreadDefaults: spreadDefaultsOf(session.schedulerConfig),
  });
  return explanation && { explanation, text: (options) => scaleDownText(explanation, options) };
}

function statefulSet({ objects, workload, now, session, topic, flags }: Asked): Told | undefined {
  const explanation = explainStatefulSet(objects, {
    workload,
    now,
    gates: () => session.started.run.gates,
    ...(topic === "scale-down" && { replicas: replicasIn(flags) }),
  });
  return explanation && { explanation, text: (options) => statefulSetText(explanation, options) };
}

/** Its Pods are placed where it rolls out: one answer for both, unless one node is asked about. */
function daemonSet(asked: Asked): Told | undefined {
  const { objects, workload, now, flags } = asked;
  if (flags.isGiven("node")) return daemonOnNode(asked, flags.text("node"));
  const explanation = explainDaemonSet(objects, { workload, now });
  return explanation && { explanation, text: (options) => daemonSetText(explanation, options) };
}

function daemonOnNode(asked: Asked, node: string): Told | undefined {
  const { objects, workload, now } = asked;
  const made = daemonPodFor(objects, { workload, node, now });
  if (made === undefined) return undefined;
  const explanation = explainDaemonPlacement(objects, {
    workload,
    node,
    now,
    ...schedulerFor(asked, made.pod),
  });
  if (explanation === undefined) throw new LineRefusal(unknownNode(objects, node));
  return { explanation, text: (options) => daemonPlacementText(explanation, options) };
}

function placement(asked: Asked): Told | undefined {
  const { objects, workload, now } = asked;
  const found = findPodToPlace(objects, workload, now);
  if (found.kind === "impossible") throw new LineRefusal(found.problem);
  return found.kind === "unknown" ? undefined : place(asked, found);
}

function placeFile(asked: Asked, named: readonly string[]): Told {
  if (asked.topic !== "placement") throw new LineRefusal("--filename is for explain placement");
  if (named.length > 0) throw new LineRefusal("--filename takes the place of an object: give one of the two");
  return place(asked, { pod: podInPanel(asked), isHypothetical: true });
}

/** The only Pod of the panel Manifests. */
function podInPanel({ manifest, session, workload: { namespace }, objects }: Asked): Pod {
  const { problems, manifests } = checkManifests(manifest, {
    gates: session.started.run.gates,
    definitions: [],
  });
  if (problems.length > 0) throw new LineRefusal(problems.join("\n"));
  const [only, ...more] = manifests;
  if (only === undefined || more.length > 0 || only.of !== "kubernetes" || only.content["kind"] !== "Pod")
    throw new LineRefusal("the panel Manifests needs one Pod, and nothing else");
  const { object } = only;
  // Strict decoding has checked its types.
  const draft = { ...object, metadata: { ...object.metadata, namespace } } as unknown as Draft<Pod>;
  return admittedPod(draft, objects);
}

function place(
  asked: Asked,
  { pod, isHypothetical }: { readonly pod: Pod; readonly isHypothetical: boolean },
): Told {
  const explanation = explainPodPlacement(asked.objects, {
    pod,
    isHypothetical,
    now: asked.now,
    ...schedulerFor(asked, pod),
  });
  return { explanation, text: (options) => placementText(explanation, options) };
}

/** The scheduler of this cluster that places a Pod, or its default one where none has the name. */
function schedulerFor(
  { session: { schedulerConfig } }: Asked,
  pod: Pod,
): { readonly scheduler: AssumedScheduler; readonly configuration: string } {
  const name = schedulerNameOf(pod);
  const own = schedulerConfig.profiles.find(({ schedulerName }) => schedulerName === name);
  const profile = own ?? schedulerConfig.profiles[0];
  if (profile === undefined) throw new LineRefusal("the scheduler of this cluster has no profile");
  return {
    scheduler: createProfile(
      { ...profile, schedulerName: name },
      { registry: pluginRegistry(), events: { record: () => undefined } },
    ),
    configuration:
      own === undefined
        ? "the first profile of this cluster, which has none of that name"
        : "the configuration of this cluster",
  };
}

function replicasIn(flags: FlagReader): number {
  const replicas = Number(flags.text("replicas") || "NaN");
  if (!Number.isInteger(replicas) || replicas < 0)
    throw new LineRefusal("--replicas=N is needed: the size after it");
  return replicas;
}
