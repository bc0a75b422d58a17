import type { ReplicaSet } from "../../api/generated/apps-v1.ts";
import type { ReplicationController } from "../../api/generated/core-v1.ts";
import { compileLabelMap, compileLabelSelector } from "../../api/labels/compile-label-selector.ts";
import type { LabelSelection } from "../../api/labels/label-selector.ts";
import type { Resource } from "../../api/resource.ts";
import { replicaSets, replicationControllers } from "../../api/resources.ts";
import type { ReplicaOwner } from "../../decisions/replicas/replica-owner.ts";

/** All in which the two kinds differ that one engine serves. */
export interface ReplicaKind<T extends ReplicaOwner> {
  readonly resource: Resource<T>;
  /** Names the controller and its queue. */
  readonly controller: string;
  /** The source of its events. */
  readonly component: string;
  /** Whether its status has a place for terminating Pods. */
  readonly countsTerminating: boolean;
  /** Which Pods an owner selects; `undefined` when its selector selects nothing or cannot be understood. */
  selectionOf(owner: T): LabelSelection | undefined;
}

export const replicaSetKind: ReplicaKind<ReplicaSet> = {
  resource: replicaSets,
  controller: "replicaset",
  component: "replicaset-controller",
  countsTerminating: true,
  selectionOf: oncePerObject(({ spec }) => {
    const compiled = compileLabelSelector(spec?.selector);
    return compiled.ok ? usable(compiled.selection) : undefined;
  }),
};

export const replicationControllerKind: ReplicaKind<ReplicationController> = {
  resource: replicationControllers,
  controller: "replicationmanager",
  component: "replication-controller",
  countsTerminating: false,
  selectionOf: oncePerObject(({ spec }) => usable(compileLabelMap(spec?.selector))),
};

/** A selector without requirements would take every Pod there is: it counts as one that selects nothing. */
function usable(selection: LabelSelection): LabelSelection | undefined {
  return selection.selects === "nothing" || selection.requirements.length === 0 ? undefined : selection;
}

/** Remembers answers for as long as the object is there: it is never changed, and asked about for every orphan. */
function oncePerObject<T extends object, A>(ask: (object: T) => A): (object: T) => A {
  const answers = new WeakMap<T, { readonly answer: A }>();
  return (object) => {
    const known = answers.get(object) ?? { answer: ask(object) };
    answers.set(object, known);
    return known.answer;
  };
}
