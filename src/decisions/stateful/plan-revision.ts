import type { ControllerRevision, StatefulSet } from "../../api/generated/apps-v1.ts";
import type { PodTemplateSpec } from "../../api/generated/core-v1.ts";
import type { Draft } from "../../api/object.ts";
import { statefulSets } from "../../api/resources.ts";
import { draftRevision } from "../revisions/draft-revision.ts";
import {
  hashRevision,
  isSameData,
  revisionDataOf,
  storesTemplate,
  templateOfRevision,
} from "../revisions/revision-data.ts";
import { nextRevisionNumber, revisionsToTruncate, sortedRevisions } from "../revisions/revision-history.ts";
import { revisionOfPod } from "./pod-health.ts";
import type { StatefulState } from "./state.ts";

/** The label of revisions with their first hash; after a collision the name has another hash. */
const revisionHashLabel = "controller.kubernetes.io/hash";
/** The longest part of a set's name in that of a revision. */
const longestPrefix = 223;

/** What has to be done about a revision before Pods are created from it. */
export type StatefulRevisionAction =
  | {
      readonly kind: "create-revision";
      readonly revision: Draft<ControllerRevision>;
      readonly collisionCount: number;
    }
  /** An old template is wanted again: its revision becomes the newest. */
  | { readonly kind: "renumber-revision"; readonly revision: ControllerRevision; readonly to: number };

/** A revision as Pods are made from it. */
export interface PodRevision {
  readonly name: string;
  readonly template: PodTemplateSpec;
}

/** The two revisions that a set's Pods are at while it is updated, and what makes the newer one exist. */
export interface RevisionPlan {
  readonly current: PodRevision;
  readonly update: PodRevision;
  readonly collisionCount: number;
  readonly action?: StatefulRevisionAction;
}

/** Finds the revision of a set's template and the one it is updated from. */
export function planRevision(state: StatefulState): RevisionPlan {
  const { set } = state;
  const sorted = sortedRevisions(state.revisions);
  const collisionCount = state.collisionCount ?? countOf(set.status?.collisionCount);
  const found = updateRevision(set, sorted, collisionCount);
  const update = { name: found.name, template: set.spec.template };
  const stored = sorted.find(({ metadata }) => metadata.name === set.status?.currentRevision);
  const template = stored && templateOfRevision(stored);
  const current =
    stored === undefined || template === undefined || stored.metadata.name === update.name
      ? update
      : { name: stored.metadata.name, template };
  const { action } = found;
  return { current, update, collisionCount, ...(action !== undefined && { action }) };
}

interface UpdateRevision {
  readonly name: string;
  readonly action?: StatefulRevisionAction;
}

function updateRevision(
  set: StatefulSet,
  sorted: readonly ControllerRevision[],
  collisionCount: number,
): UpdateRevision {
  const newest = sorted.at(-1);
  const wanted = { data: revisionDataOf(set.spec.template) };
  const equal = sorted.findLast((revision) => isSameData(revision, wanted));
  const isNewest = equal !== undefined && newest !== undefined && isSameData(newest, wanted);
  if (isNewest) return { name: newest.metadata.name };
  if (equal !== undefined) {
    const to = nextRevisionNumber(sorted);
    return { name: equal.metadata.name, action: { kind: "renumber-revision", revision: equal, to } };
  }
  if (newest !== undefined && storesTemplate(newest, set.spec.template))
    return { name: newest.metadata.name };
  const revision = newRevision(set, nextRevisionNumber(sorted), collisionCount);
  return {
    name: revision.metadata.name ?? "",
    action: { kind: "create-revision", revision, collisionCount },
  };
}

function newRevision(set: StatefulSet, revision: number, collisionCount: number): Draft<ControllerRevision> {
  const data = revisionDataOf(set.spec.template);
  const name = `${set.metadata.name.slice(0, longestPrefix)}-${hashRevision(data, collisionCount)}`;
  const hash = hashRevision(data, countOf(set.status?.collisionCount));
  return draftRevision(set, { resource: statefulSets, name, hashLabel: revisionHashLabel, hash, revision });
}

/** The revisions that are neither used nor kept as history, the lowest first. */
export function obsoleteRevisions(
  { set, pods, revisions }: StatefulState,
  { current, update }: Pick<RevisionPlan, "current" | "update">,
): readonly ControllerRevision[] {
  const live = new Set([current.name, update.name]);
  for (const pod of pods) live.add(revisionOfPod(pod) ?? "");
  const limit: unknown = set.spec.revisionHistoryLimit ?? 10;
  return revisionsToTruncate(revisions, { live, limit: typeof limit === "number" ? limit : -1 });
}

function countOf(value: unknown): number {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : 0;
}
