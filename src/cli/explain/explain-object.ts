import type { ReplicaSet } from "../../api/generated/apps-v1.ts";
import type { PersistentVolumeClaim, Pod } from "../../api/generated/core-v1.ts";
import type { ClusterObjects } from "../../decisions/explain/cluster-objects.ts";
import { explainScaleDown, type ScaleDownExplanation } from "../../decisions/explain/explain-scale-down.ts";
import {
  explainPodPlacement,
  type PodPlacementExplanation,
} from "../../decisions/explain/explain-pod-placement.ts";
import { explainDaemonSet, type DaemonSetExplanation } from "../../decisions/explain/explain-daemon-set.ts";
import {
  daemonPodFor,
  type DaemonPlacementExplanation,
  explainDaemonPlacement,
} from "../../decisions/explain/explain-daemon-placement.ts";
import {
  explainStatefulSet,
  type StatefulSetExplanation,
} from "../../decisions/explain/explain-stateful-set.ts";
import { explainRollout, type RolloutExplanation } from "../../decisions/explain/explain-rollout.ts";
import { admittedPod, findPodToPlace, type FoundPod } from "../../decisions/explain/hypothetical-pod.ts";
import { isNamed, type ExplainedObject } from "../../decisions/explain/object-reference.ts";
import { pickerOf } from "../../decisions/explain/steering-summary.ts";
import type { PickerAnswerGiven } from "../../decisions/explain/rank-candidates.ts";
import type { Draft } from "../../api/object.ts";
import { schedulerNameOf } from "../../scheduler/scheduler-name.ts";
import { readManifests } from "../read-manifests.ts";
import { assumedScheduler } from "./assumed-scheduler.ts";
import { askPicker, type AskOptions } from "./ask-pickers.ts";
import type { ObservedCluster } from "../connection/cluster-view.ts";
import type { ExplainSettings } from "./explain-settings.ts";
import { unknownNode, unknownObject } from "./object-argument.ts";

export type Explanation =
  | ScaleDownExplanation
  | PodPlacementExplanation
  | RolloutExplanation
  | StatefulSetExplanation
  | DaemonSetExplanation
  | DaemonPlacementExplanation;

export type Explained =
  | { readonly ok: true; readonly explanation: Explanation }
  | { readonly ok: false; readonly problems: readonly string[] };

export interface ExplainContext {
  readonly view: ObservedCluster;
  readonly namespace: string;
  /** How pickers are asked; absent: they are not. */
  readonly ask?: Omit<AskOptions, "isEmbedded">;
}

/** The name that is shown for an object from a file. */
const noObject = { kind: "Pod", name: "" } as const;

/** Explains what the settings name in a cluster. */
export async function explainObject(settings: ExplainSettings, context: ExplainContext): Promise<Explained> {
  const { kind, name } = settings.object ?? noObject;
  const reference: ExplainedObject = { kind, namespace: context.namespace, name };
  const unknown = (): Explained => refused(unknownObject(context.view.objects, reference));
  if (reference.kind === "DaemonSet") return daemonSet(settings, reference, context) ?? unknown();
  return (await explainTopic(settings, reference, context)) ?? unknown();
}

async function explainTopic(
  settings: ExplainSettings,
  reference: ExplainedObject,
  context: ExplainContext,
): Promise<Explained | undefined> {
  const { topic } = settings;
  if (topic === "placement") return placement(settings, reference, context);
  if (reference.kind === "StatefulSet") return found(statefulSet(settings, reference, context));
  return found(
    topic === "rollout"
      ? rollout(settings, reference, context)
      : await explainScale(settings, reference, context),
  );
}

/** Its Pods are placed where it rolls out: one answer for both, unless one node is asked about. */
function daemonSet(
  settings: ExplainSettings,
  workload: ExplainedObject,
  context: ExplainContext,
): Explained | undefined {
  const { node } = settings;
  if (node !== undefined) return daemonOnNode(settings, { ...workload, node }, context);
  const { objects, now } = context.view;
  return found(explainDaemonSet(objects, { workload, now }));
}

/** Explains whether a node should run a Pod of a DaemonSet, and what the scheduler would do with it. */
function daemonOnNode(
  settings: ExplainSettings,
  { node, ...workload }: ExplainedObject & { readonly node: string },
  { view }: ExplainContext,
): Explained | undefined {
  const { objects, now } = view;
  const made = daemonPodFor(objects, { workload, node, now });
  if (made === undefined) return undefined;
  const assumed = assumedScheduler(settings, schedulerNameOf(made.pod), view);
  if (!assumed.ok) return refused(...assumed.problems);
  const { scheduler, configuration } = assumed;
  const question = { workload, node, scheduler, configuration, now };
  return found(explainDaemonPlacement(objects, question)) ?? refused(unknownNode(objects, node));
}

function statefulSet(
  { topic, replicas, gates }: ExplainSettings,
  workload: ExplainedObject,
  { view }: ExplainContext,
): StatefulSetExplanation | undefined {
  const scaled = topic === "scale-down" ? { replicas } : {};
  return explainStatefulSet(view.objects, { workload, now: view.now, gates, ...scaled });
}

function found(explanation: Explanation | undefined): Explained | undefined {
  return explanation === undefined ? undefined : { ok: true, explanation };
}

function refused(...problems: readonly string[]): Explained {
  return { ok: false, problems };
}

type ScaleSettings = Pick<ExplainSettings, "replicas" | "gates"> &
  Partial<Pick<ExplainSettings, "spreadDefaults">> & {
    readonly profile?: ExplainSettings["profile"] | undefined;
  };

/** Explains a scale-down, and once more after each answer of a picker, since that may lead to another question. */
export async function explainScale(
  { replicas, profile, gates, spreadDefaults }: ScaleSettings,
  workload: ExplainedObject,
  { view, ask }: ExplainContext,
): Promise<ScaleDownExplanation | undefined> {
  const { objects, now, isEmbedded, decidedBy, configuration } = view;
  const known = {
    embeddedGates: configuration?.gates,
    spreadDefaults: spreadDefaults ?? configuration?.spreadDefaults,
  };
  const answers: Record<string, PickerAnswerGiven[]> = {};
  for (;;) {
    const question = { workload, replicas, profile, decidedBy, gates, now, ...known, pickerAnswers: answers };
    const explanation = explainScaleDown(objects, question);
    const open = ask === undefined ? undefined : unasked(explanation);
    const owner = objects.replicaSets.find((each) => isNamed(each, { ...workload, name: open?.name ?? "" }));
    if (ask === undefined || open === undefined || owner === undefined) return explanation;
    const answer = await askPicker(
      { owner, picker: pickerIn(owner, explanation, view), question: open.picker },
      { ...ask, isEmbedded },
    );
    (answers[open.name] ??= []).push(answer);
  }
}

/** The first question to a picker without an answer. */
function unasked(explanation: ScaleDownExplanation | undefined) {
  return explanation?.owners
    .flatMap(({ name, pickers }) => pickers.map((picker) => ({ name, picker })))
    .find(({ picker }) => picker.answer === undefined);
}

function pickerIn(
  owner: ReplicaSet,
  explanation: ScaleDownExplanation | undefined,
  view: ObservedCluster,
): unknown {
  const { namespace } = owner.metadata;
  const labels = view.objects.namespaces.find(({ metadata }) => metadata.name === namespace)?.metadata.labels;
  return pickerOf(owner, { labels, isSteered: explanation?.decidedBy.controllers === "steered" });
}

function rollout(
  { profile, gates }: ExplainSettings,
  workload: ExplainedObject,
  { view }: ExplainContext,
): RolloutExplanation | undefined {
  const { objects, decidedBy, now, configuration } = view;
  const embeddedGates = configuration?.gates;
  return explainRollout(objects, { workload, profile, decidedBy, gates, embeddedGates, now });
}

function placement(
  settings: ExplainSettings,
  reference: ExplainedObject,
  { view, namespace }: ExplainContext,
): Explained | undefined {
  const { objects, now } = view;
  const subject =
    settings.file === undefined
      ? findPodToPlace(objects, reference, now)
      : podInFile(settings.file, { view, namespace });
  if (subject.kind === "unknown") return undefined;
  if (subject.kind === "impossible") return refused(subject.problem);
  const { pod, isHypothetical, claims = [] } = subject;
  const assumed = assumedScheduler(settings, schedulerNameOf(pod), view);
  if (!assumed.ok) return refused(...assumed.problems);
  const { scheduler, configuration } = assumed;
  const question = { pod, isHypothetical, scheduler, configuration, now };
  return found(explainPodPlacement(withClaims(objects, claims), question));
}

/** The objects with claims that are yet to be created; unless neither claims nor classes are known, which is said then. */
function withClaims(objects: ClusterObjects, claims: readonly PersistentVolumeClaim[]): ClusterObjects {
  const { persistentVolumeClaims: known, storageClasses } = objects;
  if (claims.length === 0 || known.length + storageClasses.length === 0) return objects;
  return { ...objects, persistentVolumeClaims: [...known, ...claims] };
}

/** The only Pod of a manifest file. */
function podInFile(file: string, { view, namespace }: Pick<ExplainContext, "view" | "namespace">): FoundPod {
  const read = readManifests([file], namespace);
  if (!read.ok) return { kind: "impossible", problem: read.problem };
  const [only, ...more] = read.manifests;
  if (only?.resource.kind !== "Pod" || more.length > 0)
    return { kind: "impossible", problem: `${file}: one Pod is needed, and nothing else` };
  // Strict decoding has checked its types.
  const draft = only.object as unknown as Draft<Pod>;
  return { kind: "found", pod: admittedPod(draft, view.objects), isHypothetical: true };
}
