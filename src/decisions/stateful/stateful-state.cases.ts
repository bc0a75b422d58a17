import { defaultFeatureGates } from "../../api/feature-gates.ts";
import type {
  ControllerRevision,
  StatefulSet,
  StatefulSetSpec,
  StatefulSetStatus,
} from "../../api/generated/apps-v1.ts";
import type { PersistentVolumeClaim, Pod, Volume } from "../../api/generated/core-v1.ts";
import type { OwnerReference } from "../../api/generated/meta-v1.ts";
import { controllerReference } from "../../api/owner-references.ts";
import { statefulSets } from "../../api/resources.ts";
import { formatTime, parseTime } from "../../api/time.ts";
import { podTemplate } from "../../testing/deployment.ts";
import { pod } from "../../testing/pod.ts";
import { statefulSet } from "../../testing/stateful-set.ts";
import { revisionDataOf } from "../revisions/revision-data.ts";
import type { OrdinalActions, StatefulAction, StatefulWait } from "./action.ts";
import { claimName, claimTemplatesOf } from "./claim.ts";
import { ordinalOf } from "./ordinal.ts";
import { planStatefulSet } from "./plan-stateful-set.ts";
import type { StatefulState } from "./state.ts";

export const now = parseTime("2026-01-01T01:00:00Z") ?? 0;

/** What differs about the state of the set `web`. */
export interface Given {
  /** As `0✓ 1✗ 2… 3T 4F`: available, not ready, Pending, terminating, Failed. `@R2`: its revision, R1 without one. `✓30`: ready for 30 s. */
  readonly pods?: string;
  readonly replicas?: number;
  /** The revision of its template, R1 without one; `R0` is one that does not exist yet. */
  readonly template?: string;
  /** The stored revisions, the lowest first; R1 without one. */
  readonly revisions?: string;
  /** The current revision in its status: R1. */
  readonly current?: string;
  readonly spec?: Partial<StatefulSetSpec>;
  readonly status?: Partial<StatefulSetStatus>;
  readonly partition?: number;
  readonly isParallel?: boolean;
  readonly hasMaxUnavailable?: boolean;
  readonly deletedAt?: string;
  readonly claims?: readonly PersistentVolumeClaim[];
}

export const imageOf = (revision: string) => `registry.example/${revision}`;

export function revision(name: string, number: number): ControllerRevision {
  return {
    metadata: { name, uid: `uid-of-${name}`, resourceVersion: "1" },
    data: revisionDataOf(podTemplate(imageOf(name))),
    revision: number,
  };
}

export function stateOf(given: Given): StatefulState {
  const { pods: text = "", revisions = "R1", claims = [], status } = given;
  const set = statefulSet("web", {
    replicas: given.replicas ?? 3,
    image: imageOf(given.template ?? "R1"),
    ...(given.deletedAt !== undefined && { deletedAt: given.deletedAt }),
    spec: {
      podManagementPolicy: given.isParallel === true ? "Parallel" : "OrderedReady",
      updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: given.partition ?? 0 } },
      ...given.spec,
    },
    status: { replicas: 0, currentRevision: given.current ?? "R1", ...status },
  });
  return {
    set,
    pods: text
      .split(" ")
      .filter(Boolean)
      .map((one) => podOf(set, one)),
    revisions: revisions
      .split(" ")
      .filter(Boolean)
      .map((name, place) => revision(name, place + 1)),
    claims: new Map(claims.map((claim) => [claim.metadata.name, claim])),
    gates: { ...defaultFeatureGates, MaxUnavailableStatefulSet: given.hasMaxUnavailable === true },
    now,
  };
}

const states: Readonly<Record<string, Parameters<typeof pod>[1]>> = {
  "✓": {},
  "✗": { ready: false },
  "…": { phase: "Pending", ready: false },
  T: { deletedAt: "2026-01-01T00:59:00Z" },
  F: { phase: "Failed", ready: false },
  S: { phase: "Succeeded", ready: false },
};

/** Reads `1✗@R2`. */
function podOf(set: StatefulSet, text: string): Pod {
  const [, ordinal = "", state = "", seconds = "", of = "R1"] =
    /^(\d+)([✓✗…TFS])(\d*)(?:@(\w+))?$/.exec(text) ?? [];
  const name = `web-${ordinal}`;
  const readyAt = seconds === "" ? undefined : formatTime(now - Number(seconds) * 1000);
  const one = pod(name, {
    ...states[state],
    ...(readyAt !== undefined && { readyAt }),
    spec: { volumes: volumesOf(set, Number(ordinal)) },
    labels: {
      "statefulset.kubernetes.io/pod-name": name,
      "apps.kubernetes.io/pod-index": ordinal,
      "controller-revision-hash": of,
    },
  });
  const references = [controllerReference(statefulSets, set)];
  return { ...one, metadata: { ...one.metadata, ownerReferences: references } };
}

/** The volumes of its claims, as the controller gave them to the Pod. */
function volumesOf(set: StatefulSet, ordinal: number): readonly Volume[] {
  return claimTemplatesOf(set).map((template) => ({
    name: template.metadata.name,
    persistentVolumeClaim: { claimName: claimName(set, template, ordinal) },
  }));
}

export function claim(
  name: string,
  ownerReferences: readonly OwnerReference[] = [],
  deletedAt?: string,
): PersistentVolumeClaim {
  const metadata = {
    name,
    namespace: "default",
    uid: `uid-of-${name}`,
    resourceVersion: "1",
    ownerReferences,
  };
  return {
    metadata: { ...metadata, ...(deletedAt !== undefined && { deletionTimestamp: deletedAt }) },
    spec: {},
  };
}

/** What a plan does, a text for each batch: `create 0@R1`, and what it waits for. */
export function planned(given: Given) {
  return described(stateOf(given));
}

export function described(state: StatefulState) {
  const plan = planStatefulSet(state);
  return {
    does: plan.batches.map((batch) => batch.map((actions) => describeActions(state, actions)).join(", ")),
    waits: plan.waits.map(describeWait),
    revision: plan.revision,
    status: plan.statusAfter(replacedBy(plan.batches)),
    obsolete: plan.obsolete.map(({ metadata }) => metadata.name),
    recheckInMs: plan.recheckAt === undefined ? undefined : plan.recheckAt - now,
  };
}

export function replacedBy(batches: readonly (readonly OrdinalActions[])[]): number {
  const actions = batches.flat().flatMap((one) => one.actions);
  return actions.filter((one) => one.kind === "delete-pod" && one.reason.kind === "outdated").length;
}

function describeActions(state: StatefulState, { ordinal, actions }: OrdinalActions): string {
  return actions.map((action) => describe(state, ordinal, action)).join(" + ");
}

function describe({ set }: StatefulState, ordinal: number, action: StatefulAction): string {
  switch (action.kind) {
    case "create-pod":
      return `create ${ordinal}@${nameOfRevision(action.reason.revision)}`;
    case "delete-pod":
      return `delete ${ordinalOf(set, action.pod)} ${action.reason.kind}`;
    case "update-pod":
      return `update ${ordinal} ${action.reason}`;
    case "create-claim":
      return `claim ${action.claim.metadata.name ?? ""}${ownersOf(action.claim.metadata.ownerReferences)}`;
    case "own-claim":
      return `own ${action.claim.metadata.name}${ownersOf(action.claim.metadata.ownerReferences)}`;
    case "report-conflict":
      return `conflict ${action.claim}`;
    case "refuse-pod":
      return `refuse ${ordinal}: ${action.problem}`;
  }
}

/** A revision that is created in this pass is `new`. */
function nameOfRevision(name: string): string {
  return /^R\d$/.test(name) ? name : "new";
}

function ownersOf(references: readonly OwnerReference[] = []): string {
  return references.length === 0
    ? ""
    : ` of ${references.map(({ kind, name }) => `${kind} ${name}`).join(", ")}`;
}

function describeWait(wait: StatefulWait): string {
  return "ordinal" in wait ? `${wait.kind} ${wait.ordinal}` : wait.kind;
}
