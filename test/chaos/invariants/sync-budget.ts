import type { ReplicaSet } from "../../../src/api/generated/apps-v1.ts";
import type { Pod, ReplicationController } from "../../../src/api/generated/core-v1.ts";
import { compileLabelMap, compileLabelSelector } from "../../../src/api/labels/compile-label-selector.ts";
import { type LabelSelection, matchesLabels } from "../../../src/api/labels/label-selector.ts";
import { controllerOf, isControlledBy } from "../../../src/api/owner-references.ts";
import { isActive } from "../../../src/api/pod-state.ts";
import { pods, replicaSets, replicationControllers } from "../../../src/api/resources.ts";
import type { Clock } from "../../../src/machinery/clock/clock.ts";
import type { ClientCall } from "../../../src/machinery/client/intercept-client.ts";
import type { Process } from "../../../src/simulation/observation.ts";
import type { InvariantHandlers } from "./invariant.ts";
import { KnownPods } from "./known-pods.ts";

/** What a controller may do in one look at an owner, going by all it knew when it began to look. */
export interface SyncBudget {
  readonly owner: ReplicaSet | ReplicationController;
  readonly wanted: number;
  /** The UIDs of its active Pods, those included that it adopts while it looks. */
  readonly active: Set<string>;
  created: number;
  deleted: number;
}

/** The collections whose controllers create and delete Pods, by the name of the component. */
const ownersOf: Readonly<Record<string, string>> = {
  replicaset: replicaSets.plural,
  replicationmanager: replicationControllers.plural,
};

/** Watches controllers look at their owners; `spent` checks every creation and deletion of a Pod. */
export function checkSyncBudgets(
  clock: Clock,
  spent: (call: ClientCall, budget: SyncBudget) => string | undefined,
): InvariantHandlers {
  const knowledge = new WeakMap<Process, KnownPods>();
  const budgets = new WeakMap<Process, Map<string, SyncBudget>>();
  const knownBy = (by: Process): KnownPods => {
    const known = knowledge.get(by) ?? new KnownPods(by, clock);
    knowledge.set(by, known);
    return known;
  };
  const budgetsOf = (by: Process): Map<string, SyncBudget> => {
    const known = budgets.get(by) ?? new Map<string, SyncBudget>();
    budgets.set(by, known);
    return known;
  };
  const manages = ({ component }: Process): boolean => Object.hasOwn(ownersOf, component);

  return {
    "sync-began"({ by, key }) {
      const budget = manages(by) ? budgetFor(key, by, knownBy(by)) : undefined;
      if (budget !== undefined) budgetsOf(by).set(key, budget);
      return undefined;
    },
    "sync-ended"({ by, key }) {
      budgetsOf(by).delete(key);
      return undefined;
    },
    called({ by, call }) {
      if (!manages(by) || call.collection !== pods.plural) return undefined;
      const pod = podOf(call, knownBy(by));
      const budget = pod === undefined ? undefined : budgetsOf(by).get(ownerKey(pod));
      return budget === undefined ? undefined : spent(call, budget);
    },
    answered({ by, call, answer }) {
      if (!manages(by)) return undefined;
      knownBy(by).answered(call, answer);
      if (call.collection === pods.plural && call.verb === "patch") adopt(call, answer as Pod, budgetsOf(by));
      return undefined;
    },
    failed({ by, call, error }) {
      if (manages(by)) knownBy(by).failed(call, error);
      return undefined;
    },
  };
}

function budgetFor(key: string, by: Process, known: KnownPods): SyncBudget | undefined {
  const informer = by.informers?.all().find(({ resource }) => resource.plural === ownersOf[by.component]);
  const owner = informer?.get(key) as ReplicaSet | ReplicationController | undefined;
  if (owner === undefined) return undefined;
  const selection = selectionOf(owner);
  const isOurs = (pod: Pod) =>
    isActive(pod) &&
    isControlledBy(pod, owner.metadata.uid) &&
    selection !== undefined &&
    matchesLabels(selection, pod.metadata.labels);
  const active = [...known.pods().values()].filter(isOurs).map(({ metadata }) => metadata.uid);
  return { owner, wanted: owner.spec.replicas ?? 1, active: new Set(active), created: 0, deleted: 0 };
}

function selectionOf(owner: ReplicaSet | ReplicationController): LabelSelection | undefined {
  const { selector } = owner.spec;
  if (owner.kind === "ReplicationController") return compileLabelMap(selector as Record<string, string>);
  const compiled = compileLabelSelector(selector);
  return compiled.ok ? compiled.selection : undefined;
}

/** The Pod that a call creates or deletes. */
function podOf({ verb, body, namespace = "", name = "" }: ClientCall, known: KnownPods): Pod | undefined {
  if (verb === "create") return body as Pod;
  return verb === "delete" ? known.find(`${namespace}/${name}`) : undefined;
}

function ownerKey(pod: Pod): string {
  return `${pod.metadata.namespace ?? ""}/${controllerOf(pod)?.name ?? ""}`;
}

/** A Pod that one owner releases may come back as another's: only the patch that adopts it tells who knows of it. */
function adopt(call: ClientCall, pod: Pod, budgets: ReadonlyMap<string, SyncBudget>): void {
  const budget = budgets.get(ownerKey(pod));
  if (budget === undefined || !isAdoption(call, budget.owner.metadata.uid)) return;
  if (isActive(pod) && isControlledBy(pod, budget.owner.metadata.uid)) budget.active.add(pod.metadata.uid);
}

function isAdoption({ body }: ClientCall, uid: string): boolean {
  const { body: patch } = body as { readonly body?: Pick<Pod, "metadata"> };
  const references: readonly { readonly uid: string; readonly $patch?: string }[] =
    patch?.metadata.ownerReferences ?? [];
  return references.some((reference) => reference.uid === uid && reference.$patch === undefined);
}
