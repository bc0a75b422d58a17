import type { ControllerRevision, DaemonSet } from "../../api/generated/apps-v1.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import type { Draft } from "../../api/object.ts";
import { daemonSets } from "../../api/resources.ts";
import { draftRevision, podRevisionLabel } from "../revisions/draft-revision.ts";
import { storesTemplate } from "../revisions/revision-data.ts";
import { nextRevisionNumber, sortedRevisions } from "../revisions/revision-history.ts";
import { hashTemplate } from "../rollout/pod-template.ts";

/** One write of a DaemonSet's history. */
export type DaemonRevisionAction =
  /** A revision without a hash gets its own name as the hash. */
  | { readonly kind: "label-revision"; readonly revision: ControllerRevision; readonly hash: string }
  | { readonly kind: "create-revision"; readonly draft: Draft<ControllerRevision> }
  | { readonly kind: "renumber-revision"; readonly revision: ControllerRevision; readonly to: number }
  /** The Pods of a second revision with the same data become those of the one that is kept. */
  | { readonly kind: "relabel-pods"; readonly pods: readonly Pod[]; readonly hash: string }
  | { readonly kind: "delete-revision"; readonly revision: ControllerRevision };

/** The current revision of a DaemonSet, and what makes it so. */
export interface DaemonRevisions {
  /** What Pods of the current revision are labelled with. */
  readonly hash: string;
  readonly old: readonly ControllerRevision[];
  /** In order. */
  readonly actions: readonly DaemonRevisionAction[];
}

/** Finds the revision of the template among those of a DaemonSet, or plans a new one (upstream: constructHistory). */
export function daemonRevisions(
  daemonSet: DaemonSet,
  revisions: readonly ControllerRevision[],
  pods: readonly Pod[],
): DaemonRevisions {
  const { template } = daemonSet.spec;
  const sorted = sortedRevisions(revisions);
  const same = sorted.filter((revision) => storesTemplate(revision, template));
  const old = sorted.filter((revision) => !same.includes(revision));
  const number = nextRevisionNumber(old);
  const current = same.at(-1);
  if (current === undefined) return createdRevision(daemonSet, old, number);
  const labelled: readonly DaemonRevisionAction[] = sorted
    .filter((revision) => storedHash(revision) === undefined)
    .map((revision) => ({ kind: "label-revision", revision, hash: revision.metadata.name }));
  const hash = hashOf(current);
  const renumbered: readonly DaemonRevisionAction[] =
    current.revision < number ? [{ kind: "renumber-revision", revision: current, to: number }] : [];
  const duplicates = same.slice(0, -1);
  return {
    hash,
    old,
    actions: [...labelled, ...withoutDuplicates(duplicates, { hash, pods }), ...renumbered],
  };
}

function createdRevision(
  daemonSet: DaemonSet,
  old: readonly ControllerRevision[],
  revision: number,
): DaemonRevisions {
  const hash = hashTemplate(daemonSet.spec.template, daemonSet.status?.collisionCount);
  const name = `${daemonSet.metadata.name}-${hash}`;
  const naming = { resource: daemonSets, name, hashLabel: podRevisionLabel, hash, revision };
  return { hash, old, actions: [{ kind: "create-revision", draft: draftRevision(daemonSet, naming) }] };
}

interface Kept {
  readonly hash: string;
  readonly pods: readonly Pod[];
}

function withoutDuplicates(
  duplicates: readonly ControllerRevision[],
  { hash, pods }: Kept,
): readonly DaemonRevisionAction[] {
  if (duplicates.length === 0) return [];
  // Not those of other revisions: they have another template, and would not be replaced.
  const hashes = new Set(duplicates.map(hashOf));
  const theirs = pods.filter((pod) => hashes.has(pod.metadata.labels?.[podRevisionLabel] ?? ""));
  const relabelled: readonly DaemonRevisionAction[] =
    theirs.length === 0 ? [] : [{ kind: "relabel-pods", pods: theirs, hash }];
  return [
    ...relabelled,
    ...duplicates.map((revision): DaemonRevisionAction => ({ kind: "delete-revision", revision })),
  ];
}

/** The Pods after the actions that relabel some of them. */
export function relabelledPods(
  pods: readonly Pod[],
  actions: readonly DaemonRevisionAction[],
): readonly Pod[] {
  const hashes = new Map<Pod, string>();
  for (const action of actions) {
    if (action.kind === "relabel-pods") for (const pod of action.pods) hashes.set(pod, action.hash);
  }
  if (hashes.size === 0) return pods;
  return pods.map((pod) => {
    const hash = hashes.get(pod);
    if (hash === undefined) return pod;
    const labels = { ...pod.metadata.labels, [podRevisionLabel]: hash };
    return { ...pod, metadata: { ...pod.metadata, labels } };
  });
}

/** The earlier revisions beyond the limit that no Pod has, the lowest first (upstream: cleanupHistory). */
export function revisionsBeyondLimit(
  old: readonly ControllerRevision[],
  { spec }: DaemonSet,
  pods: readonly Pod[],
): readonly ControllerRevision[] {
  const { revisionHistoryLimit: limit = 10 } = spec;
  const surplus = old.length - limit;
  if (surplus <= 0 || limit < 0) return [];
  const live = new Set(pods.map(({ metadata }) => metadata.labels?.[podRevisionLabel]));
  return sortedRevisions(old)
    .filter((revision) => !live.has(hashOf(revision)))
    .slice(0, surplus);
}

/** The label of a revision; one without it counts as labelled with its name. */
function hashOf(revision: ControllerRevision): string {
  return storedHash(revision) ?? revision.metadata.name;
}

function storedHash({ metadata }: ControllerRevision): string | undefined {
  return metadata.labels?.[podRevisionLabel];
}
