import type { ReplicaSet } from "../../api/generated/apps-v1.ts";
import type { JsonObject } from "../../api/json.ts";
import type { Instant } from "../../api/time.ts";
import { desiredReplicasAnnotation, maxReplicasAnnotation } from "../rollout/annotations.ts";
import { admittedPatch } from "./admitted-shrink.ts";
import { admittedAs, type HeldState, holds, withoutHoldPatch } from "./held-shrink.ts";

/**
 * On a ReplicaSet that is to shrink and whose victims are not decided yet: the size, since when it is asked for in seconds,
 * and whether all is prepared. A label, not an annotation, for the reason that `roomLabel` gives.
 */
export const deferredLabel = "trimtab.dev/deferred";

/** A scale-down that waits for its decision. */
export interface DeferredShrink {
  readonly size: number;
  /** In whole seconds since 1970. */
  readonly askedAt: number;
  /** Whether the Pods are marked, so that the stock controller may act. */
  readonly isReady: boolean;
}

const form = /^(\d{1,10})\.(\d{1,12})(\.ready)?$/;

/** The value of the label: `7.1795100000`, or `7.1795100000.ready`. */
export function formatDeferred({ size, askedAt, isReady }: DeferredShrink): string {
  return `${size}.${askedAt}${isReady ? ".ready" : ""}`;
}

/** Reads the label; `undefined` for a value that cannot be ours. */
export function readDeferred(text: unknown): DeferredShrink | undefined {
  const found = typeof text === "string" ? form.exec(text) : null;
  if (found === null) return undefined;
  const [, size, askedAt, ready] = found;
  return { size: Number(size), askedAt: Number(askedAt), isReady: ready !== undefined };
}

/** The text of the label on a ReplicaSet. */
export function deferredText({ metadata }: Pick<ReplicaSet, "metadata">): string | undefined {
  return metadata.labels?.[deferredLabel];
}

/** What is answered to a ReplicaSet that asks for a smaller size. */
export type ShrinkAnswer =
  /** It gets this size now, which is larger than the one asked for if only that one is decided. */
  | { readonly kind: "admit"; readonly size: number; readonly isHeld?: true }
  /** It keeps its size, and this is decided. */
  | { readonly kind: "defer"; readonly deferred: DeferredShrink }
  /** It keeps its size: protected Pods hold it back, and nothing has changed since that was decided. */
  | { readonly kind: "hold" };

export interface AskedShrink {
  readonly old: number;
  readonly asked: number;
  /** What is deferred already. */
  readonly deferred: DeferredShrink | undefined;
  /** What protected Pods hold back; absent: nothing. */
  readonly held?: HeldState | undefined;
  /** Whether Pods may be protected: then even all of them do not go at once. */
  readonly isProtecting?: boolean;
  readonly now: Instant;
}

/** One sync of a stock controller may ask for two sizes in turn: the larger one counts only after so long. */
const largerAfterMs = 2000;
/** Nobody decides any more: no copy leads. */
const longestMs = 60_000;

/**
 * Answers a scale-down of a ReplicaSet from the state that is on it, so that all copies answer the same. It keeps its size
 * until its victims are decided and marked.
 */
export function answerShrink(request: AskedShrink): ShrinkAnswer {
  const { old, asked, deferred, held, isProtecting = false, now } = request;
  // Nothing is to be chosen where all go.
  if (asked === 0 && !isProtecting) return { kind: "admit", size: 0 };
  if (deferred === undefined && held !== undefined && holds(held, request)) return { kind: "hold" };
  const anew = { size: asked, askedAt: Math.floor(now / 1000), isReady: false };
  if (deferred === undefined || deferred.size >= old) return { kind: "defer", deferred: anew };
  return answerDeferred(deferred, request, anew);
}

/** What is answered while an earlier request waits for its decision, or has it. */
function answerDeferred(
  deferred: DeferredShrink,
  { asked, held, now }: AskedShrink,
  anew: DeferredShrink,
): ShrinkAnswer {
  const size = admittedAs(deferred, held);
  if (deferred.isReady && asked <= size)
    return size > deferred.size ? { kind: "admit", size, isHeld: true } : { kind: "admit", size };
  const ageMs = now - deferred.askedAt * 1000;
  if (asked > deferred.size) return { kind: "defer", deferred: ageMs >= largerAfterMs ? anew : deferred };
  return ageMs > longestMs ? { kind: "admit", size: asked } : { kind: "defer", deferred };
}

/** The metadata of a ReplicaSet as a request has it. */
export interface RequestedMetadata {
  readonly labels: JsonObject | undefined;
  readonly annotations: JsonObject | undefined;
}

export interface ShrinkRequest {
  readonly old: number;
  readonly asked: number;
  readonly object: RequestedMetadata;
  readonly oldObject: RequestedMetadata;
  /** Of the stored object. */
  readonly generation: number;
}

/** JSON patch operations that make of a request what is answered to it. */
export function shrinkPatch(answer: ShrinkAnswer, request: ShrinkRequest): readonly JsonObject[] {
  const { asked, object, generation } = request;
  if (answer.kind === "admit")
    return [
      ...(answer.isHeld === true ? keptSize(answer.size) : sizePatch(answer.size, request)),
      ...withoutDeferredPatch(object.labels),
      ...(answer.size === 0 && asked === 0 ? [] : admittedPatch(object.labels, generation)),
      ...withoutHoldPatch(object.labels, { keeps: answer.isHeld === true }),
    ];
  if (answer.kind === "hold") return keptSize(request.old);
  const value = formatDeferred(answer.deferred);
  const label = { op: "add", path: pathOf("labels", deferredLabel), value };
  return [
    ...sizePatch(request.old, request),
    ...(object.labels === undefined ? [{ op: "add", path: "/metadata/labels", value: {} }] : []),
    ...(object.labels?.[deferredLabel] === value ? [] : [label]),
    ...withoutHoldPatch(object.labels, { keeps: true }),
  ];
}

/**
 * Another size, with the annotations as asked: a hold may last, and a stock controller that takes its Deployment for
 * being scaled does nothing else meanwhile.
 */
const keptSize = (size: number): readonly JsonObject[] => [
  { op: "replace", path: "/spec/replicas", value: size },
];

/** JSON patch operations that end a deferral, if there is one. */
export function withoutDeferredPatch(labels: JsonObject | undefined): readonly JsonObject[] {
  return labels?.[deferredLabel] === undefined
    ? []
    : [{ op: "remove", path: pathOf("labels", deferredLabel) }];
}

/** The same of Argo Rollouts. */
const rolloutDesiredReplicasAnnotation = "rollout.argoproj.io/desired-replicas";

/**
 * By these annotations the stock controller sees that a Deployment was scaled: with the new ones on a ReplicaSet of the old
 * size, it would not scale the ReplicaSets of a rollout in proportion.
 */
const scaleAnnotations = [desiredReplicasAnnotation, maxReplicasAnnotation, rolloutDesiredReplicasAnnotation];

/** Operations that give a request another size than it asks for. */
function sizePatch(size: number, { asked, object, oldObject }: ShrinkRequest): readonly JsonObject[] {
  if (size === asked) return [];
  const restored = scaleAnnotations.flatMap((name) => {
    const [now, before] = [object.annotations?.[name], oldObject.annotations?.[name]];
    const path = pathOf("annotations", name);
    if (now === before) return [];
    return before === undefined ? [{ op: "remove", path }] : [{ op: "add", path, value: before }];
  });
  const needsMap = object.annotations === undefined && restored.length > 0;
  return [
    { op: "replace", path: "/spec/replicas", value: size },
    ...(needsMap ? [{ op: "add", path: "/metadata/annotations", value: {} }] : []),
    ...restored,
  ];
}

/** A slash within a member's name is written as `~1`. */
function pathOf(map: "labels" | "annotations", name: string): string {
  return `/metadata/${map}/${name.replaceAll("/", "~1")}`;
}
