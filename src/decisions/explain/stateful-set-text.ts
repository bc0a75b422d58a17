import type { OrdinalExplanation, StatefulSetExplanation } from "./explain-stateful-set.ts";
import { countText, joinParagraphs, plain, type TextOptions, textTable } from "./text-table.ts";

/** Limits the Pods that are listed, unless the user asks for all. */
const mostPods = 50;

/** A StatefulSet for people: what it waits for, and every ordinal with its Pod. */
export function statefulSetText(
  explanation: StatefulSetExplanation,
  { isWide = false, paint = plain }: TextOptions = {},
): string {
  const { workload, pods, waits, notes } = explanation;
  const listed = isWide ? pods : pods.slice(0, mostPods);
  const hidden = pods.length - listed.length;
  const title = `StatefulSet ${workload.namespace}/${workload.name}: ${statefulSummary(explanation)}.`;
  return joinParagraphs([
    [paint("heading", title), statefulLimitsSentence(explanation)],
    waits.length === 0 ? [] : ["It waits:", ...waits.map((wait) => `  ${wait}`)],
    pods.length === 0 ? [] : textTable(["POD", "STATE", "REVISION", "NEXT", "WHY"], listed.map(rowOf), paint),
    hidden > 0 ? [`… and ${countText(hidden, "more Pod")}; -o wide shows all.`] : [],
    notes.map((note) => `Note: ${note}.`),
  ]);
}

/** What happens next in a few words. */
export function statefulSummary({ isDeleted, pods, waits, range }: StatefulSetExplanation): string {
  if (isDeleted) return "it is being deleted, and its Pods go in no order";
  const next = pods.filter((pod) => pod.next !== undefined);
  const [first] = next;
  if (first !== undefined) {
    const others = next.length === 1 ? "" : ` and ${countText(next.length - 1, "more")}`;
    return `next ${first.next === "create" ? "comes" : "goes"} ${first.pod}${others}`;
  }
  if (pods.length < range.replicas || waits.length > 0) return "nothing is done at the moment";
  return "nothing is left to do";
}

/** How many Pods are wanted, and in which order they come and are replaced. */
export function statefulLimitsSentence(explanation: StatefulSetExplanation): string {
  const { range, policy, strategy, partition, maxUnavailable } = explanation;
  const { start, replicas } = range;
  const ordinals = replicas === 0 ? "no ordinals" : `ordinals ${start} to ${start + replicas - 1}`;
  const update =
    strategy === "OnDelete"
      ? "updated when Pods are deleted (OnDelete)"
      : `updated ${maxUnavailable} at a time down to index ${partition}`;
  return `${countText(replicas, "replica")} wanted, ${ordinals}, ${policy}, ${update}.`;
}

function rowOf({ pod, state, revision = "", next, because }: OrdinalExplanation): readonly string[] {
  return [pod, state, revision === "" ? "-" : revision, next ?? "-", because];
}
