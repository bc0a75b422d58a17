import type { ReplicaSet } from "../../api/generated/apps-v1.ts";
import type { ObjectMeta } from "../../api/generated/meta-v1.ts";
import { lastAppliedAnnotation } from "../../api/well-known.ts";
import { isCount } from "./counts.ts";

/** The revision of a ReplicaSet, and of the Deployment that last rolled it out. */
export const revisionAnnotation = "deployment.kubernetes.io/revision";
/** The earlier revisions of a ReplicaSet that was rolled out again, separated by commas. */
export const revisionHistoryAnnotation = "deployment.kubernetes.io/revision-history";
/** The Deployment's replicas when it last sized the ReplicaSet. */
export const desiredReplicasAnnotation = "deployment.kubernetes.io/desired-replicas";
/** The Deployment's replicas plus maxSurge when it last sized the ReplicaSet. */
export const maxReplicasAnnotation = "deployment.kubernetes.io/max-replicas";
/** The size a ReplicaSet had before a scale that terminating Pods still hold back. */
export const beforeScaleAnnotation = "deployment.kubernetes.io/replicaset-replicas-before-scale";
/** The deprecated request for a rollback: a revision, or 0 for the previous one. */
export const rollbackAnnotation = "deprecated.deployment.rollback.to";

/** Annotations that are never copied between a Deployment and its ReplicaSets. */
const ownAnnotations: ReadonlySet<string> = new Set([
  lastAppliedAnnotation,
  revisionAnnotation,
  revisionHistoryAnnotation,
  desiredReplicasAnnotation,
  maxReplicasAnnotation,
  beforeScaleAnnotation,
  rollbackAnnotation,
]);

export type Annotations = Readonly<Record<string, string>>;

/** An object's annotations; `{}` when it has none or they are malformed. */
export function annotationsOf(object: { readonly metadata: Pick<ObjectMeta, "annotations"> }): Annotations {
  const annotations: unknown = object.metadata.annotations;
  return typeof annotations === "object" && annotations !== null ? (annotations as Annotations) : {};
}

/** Whether an annotation is excluded from copying between a Deployment and its ReplicaSets. */
export function isOwnAnnotation(name: string): boolean {
  return ownAnnotations.has(name);
}

/** The annotations whose names match. */
export function selectAnnotations(annotations: Annotations, which: (name: string) => boolean): Annotations {
  return Object.fromEntries(Object.entries(annotations).filter(([name]) => which(name)));
}

/** The annotations without the one of this name. */
export function withoutAnnotation(annotations: Annotations, name: string): Annotations {
  return selectAnnotations(annotations, (other) => other !== name);
}

const digits = /^[0-9]+$/;

/** A count written as an annotation: decimal digits, no sign, at most an int32; anything else counts as absent. */
export function countAnnotation(replicaSet: ReplicaSet, name: string): number | undefined {
  const text: unknown = annotationsOf(replicaSet)[name];
  if (typeof text !== "string" || !digits.test(text)) return undefined;
  const count = Number(text);
  return isCount(count) ? count : undefined;
}

const signed = /^[+-]?0*[0-9]{1,19}$/;
const maxInt64 = 2n ** 63n - 1n;

/** An int64 as Go reads it: decimal, perhaps with a sign; `undefined` for anything else or out of range. */
export function parseInt64(text: unknown): bigint | undefined {
  if (typeof text !== "string" || !signed.test(text)) return undefined;
  const value = BigInt(text.startsWith("+") ? text.slice(1) : text);
  return value > maxInt64 || value < -maxInt64 - 1n ? undefined : value;
}

/** The next int64; the largest is its own successor. */
export function successor(value: bigint): bigint {
  return value < maxInt64 ? value + 1n : value;
}
