import type { Deployment, ReplicaSet } from "../../api/generated/apps-v1.ts";
import type { Labels } from "../../api/labels/label-selector.ts";
import { parseJson } from "../../api/parse-json.ts";
import {
  downscalePodPickerAnnotation,
  type PodReplacementPolicy,
  podReplacementPolicyAnnotation,
  removalOrderAnnotation,
  scaleDownSpreadAnnotation,
  steeringModeAnnotation,
} from "../../api/workload-settings.ts";

/** The annotations by which a workload asks to be steered; a namespace asks by labels of the same names. */
export const wishAnnotations = [
  removalOrderAnnotation,
  podReplacementPolicyAnnotation,
  downscalePodPickerAnnotation,
  scaleDownSpreadAnnotation,
  steeringModeAnnotation,
] as const;

/** What is done about wishes: they are fulfilled; what would be done is said, and nothing written; or nothing at all. */
export const steeringModes = ["enforce", "observe", "off"] as const;
export type SteeringMode = (typeof steeringModes)[number];

/** What a workload has asked for. */
export interface Wishes {
  /** Whether scale-downs go by our removal order. */
  readonly steersRemovals: boolean;
  /** The picker as JSON, not validated; a text that is not JSON stays a text. */
  readonly picker?: unknown;
  readonly policy?: PodReplacementPolicy;
  /** Whether scale-downs keep the domains even; absent: the gate decides. */
  readonly spreads?: boolean;
  /** Whether scale-downs empty nodes; absent: no. A workload that spreads does not. */
  readonly consolidates?: true;
  /** Absent: as the configuration says. */
  readonly mode?: SteeringMode;
}

/** A workload that may ask: a Deployment, or a ReplicaSet without one. */
export type SteeredWorkload = Pick<Deployment | ReplicaSet, "metadata"> & {
  readonly spec?: Partial<Pick<Deployment["spec"], "template" | "podReplacementPolicy">>;
};

/**
 * What a workload asks for. The annotation counts, then that of the Pod template, which survives `kubectl rollout undo`,
 * then the label of the namespace, for all but pickers. A value that makes no sense asks for nothing.
 */
export function wishesOf(workload: SteeredWorkload, namespaceLabels: Labels): Wishes {
  const text = (name: string) => wishText(workload, name, namespaceLabels);
  const policy = isPolicyServed(workload) ? undefined : readPolicy(text(podReplacementPolicyAnnotation));
  const picker = text(downscalePodPickerAnnotation);
  const spreads = text(scaleDownSpreadAnnotation);
  const order = text(removalOrderAnnotation);
  const isOrdered = ["trimtab", "consolidate"].includes(order ?? "");
  const mode = readMode(text(steeringModeAnnotation));
  return {
    steersRemovals: picker !== undefined || isOrdered || spreads === "true",
    ...consolidation(order, spreads),
    ...(picker === undefined ? {} : { picker: readPicker(picker) }),
    ...(policy === undefined ? {} : { policy }),
    ...(spreads === "true" || spreads === "false" ? { spreads: spreads === "true" } : {}),
    ...(mode === undefined ? {} : { mode }),
  };
}

function readPolicy(text: string | undefined): PodReplacementPolicy | undefined {
  return text === "TerminationComplete" || text === "TerminationStarted" ? text : undefined;
}

/** A workload that keeps its domains even does not empty nodes. */
function consolidation(order: string | undefined, spreads: string | undefined): Pick<Wishes, "consolidates"> {
  return order === "consolidate" && spreads !== "true" ? { consolidates: true } : {};
}

/** Whether the cluster fulfils a policy itself: an API server that does not know the field (KEP-5882) does not store it. */
export function isPolicyServed({ spec }: SteeredWorkload): boolean {
  return spec?.podReplacementPolicy !== undefined;
}

function readMode(text: string | undefined): SteeringMode | undefined {
  return steeringModes.find((mode) => mode === text);
}

/** The mode of a workload: its own, that of its namespace, or that of the configuration, whose `off` nothing outweighs. */
export function modeOf({ mode }: Pick<Wishes, "mode">, configured: SteeringMode): SteeringMode {
  return configured === "off" ? "off" : (mode ?? configured);
}

/** The mode of a namespace, for what is asked for by the configuration. */
export function namespaceModeOf(labels: Labels, configured: SteeringMode): SteeringMode {
  const mode = readMode(textOf(labels?.[steeringModeAnnotation]));
  return modeOf(mode === undefined ? {} : { mode }, configured);
}

/** The text of one wish, from where it counts. */
export function wishText(
  workload: SteeredWorkload,
  name: string,
  namespaceLabels: Labels,
): string | undefined {
  const own = ownWishText(workload, name);
  if (own !== undefined || name === downscalePodPickerAnnotation) return own;
  return textOf(namespaceLabels?.[name]);
}

/** Variant that ignores the labels of the namespace. */
function ownWishText({ metadata, spec }: SteeredWorkload, name: string): string | undefined {
  return textOf(metadata?.annotations?.[name]) ?? textOf(spec?.template?.metadata?.annotations?.[name]);
}

/** Whether anything is asked for. */
export function isSteered({ steersRemovals, policy }: Wishes): boolean {
  return steersRemovals || policy !== undefined;
}

function readPicker(text: string): unknown {
  const parsed = parseJson(text);
  return parsed.ok ? (parsed.value ?? text) : text;
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/**
 * Wakes the Deployment of a ReplicaSet: any change of a ReplicaSet does. It is a label, since `kubectl rollout undo` takes
 * the annotations of a ReplicaSet to its Deployment, whose controller then writes them to ReplicaSets at every sync.
 */
export const roomLabel = "trimtab.dev/room";

/**
 * The annotations that a ReplicaSet lacks or has too many, as a merge patch; `undefined` when it has those of its
 * Deployment. The API server calls the webhook for ReplicaSets that carry them.
 */
export function wishCopies(
  deployment: Deployment,
  { metadata }: ReplicaSet,
): Readonly<Record<string, string | null>> | undefined {
  const changes = wishAnnotations.flatMap((name): readonly [string, string | null][] => {
    const wanted = ownWishText(deployment, name) ?? null;
    return (metadata.annotations?.[name] ?? null) === wanted ? [] : [[name, wanted]];
  });
  return changes.length === 0 ? undefined : Object.fromEntries(changes);
}
