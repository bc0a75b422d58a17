import type { NodeSelectorRequirement, NodeSelectorTerm } from "../../api/generated/core-v1.ts";
import type { BudgetUse, CreationReason, PodDeletion, WaitReason } from "../daemon/daemon-action.ts";
import type { KeepingRule } from "../daemon/daemon-pods.ts";
import type { NodeRefusal } from "../daemon/node-eligibility.ts";
import { formatTime } from "../../api/time.ts";

/** What keeps a DaemonSet from a node, to be put behind its name: `does not tolerate taint dedicated=gpu:NoSchedule`. */
export function refusalText(refusal: NodeRefusal): string {
  switch (refusal.by) {
    case "node-name":
      return `its template names node ${refusal.nodeName}`;
    case "selector":
      return `the node lacks the label ${refusal.key}=${refusal.value} of its node selector`;
    case "affinity":
      return `the node does not match its node affinity (${termsText(refusal.terms)})`;
    case "taint": {
      const { key, value = "", effect } = refusal.taint;
      return `it does not tolerate the taint ${key}${value === "" ? "" : `=${value}`}:${effect}`;
    }
  }
}

function termsText(terms: readonly NodeSelectorTerm[]): string {
  if (terms.length === 0) return "no terms";
  return terms
    .map(({ matchExpressions = [], matchFields = [] }) =>
      [...matchExpressions, ...matchFields].map(requirementText).join(" and "),
    )
    .join(", or ");
}

function requirementText({ key, operator, values = [] }: NodeSelectorRequirement): string {
  return values.length === 0 ? `${key} ${operator}` : `${key} ${operator} ${values.join(",")}`;
}

const keptBecause: Readonly<Record<KeepingRule, string>> = {
  assigned: "is bound to the node",
  older: "is older",
  name: "comes first by name",
};

/** Why a daemon Pod is deleted, to be put behind a statement that it is. */
export function daemonDeletionReason({ node, because }: Pick<PodDeletion, "node" | "because">): string {
  switch (because.kind) {
    case "not-eligible":
      return `not-eligible: ${node} should not run it: ${refusalText(because.refusal)}`;
    case "duplicate":
      return `duplicate: ${because.kept} is on ${node} too, and ${keptBecause[because.rule]}`;
    case "failed":
    case "succeeded":
      return `${because.kind}: it has ended on ${node}`;
    case "no-node":
      return `no-node: there is no node ${node}`;
    case "outdated":
      return `outdated: an earlier revision; ${budgetText(because.budget, "unavailable")}`;
    case "outdated-unavailable":
      return "outdated-unavailable: an earlier revision, and not available: no budget is needed";
    case "superseded":
      return `superseded: ${because.by}, of the current revision, is available on ${node}`;
    case "old-not-ready":
      return `old-not-ready: an earlier revision, not Ready beside ${because.beside}`;
    case "sunset":
      return `sunset: ${node} gets no new Pod: ${refusalText(because.refusal)}; ${because.available} are available, and ${because.desired} wanted`;
  }
}

/** Why a daemon Pod is created. */
export function daemonCreationReason(because: CreationReason): string {
  switch (because.kind) {
    case "missing":
      return "missing: the node has none";
    case "surge":
      return `surge: next to ${because.old}, of an earlier revision; ${budgetText(because.budget, "surging")}`;
    case "replace-unavailable":
      return `replace-unavailable: ${because.old}, of an earlier revision, is not available: no budget is needed`;
  }
}

/** Why nothing happens on a node yet. */
export function daemonWaitReason(because: WaitReason): string {
  const { pod } = because;
  switch (because.kind) {
    case "terminating":
      return `terminating: ${pod} has to be gone first; on a node that is lost it is only once it is deleted by force`;
    case "back-off":
      return `back-off: ${pod} has failed, and is replaced at ${formatTime(because.until)}`;
    case "budget":
      return `budget: ${pod} is of an earlier revision; ${budgetText(because.budget, "unavailable")}`;
    case "surge-budget":
      return `surge-budget: ${pod} is of an earlier revision; ${budgetText(because.budget, "surging")}`;
    case "new-not-available":
      return because.until === undefined
        ? `new-not-available: ${pod}, of the current revision, is not Ready`
        : `new-not-available: ${pod}, of the current revision, becomes available at ${formatTime(because.until)}`;
  }
}

function budgetText({ limit, used }: BudgetUse, what: string): string {
  return `${limit} ${limit === 1 ? "node" : "nodes"} may be ${what}, ${used} ${used === 1 ? "is" : "are"}`;
}
