import { invalid } from "../../../../api/field-error.ts";
import type { NodeAffinity, NodeSelectorTerm, PodSpec } from "../../../../api/generated/core-v1.ts";
import { type FieldErrors, none } from "../../../../api/field-checks.ts";
import { withMember } from "../../../../api/defaulting.ts";
import type { ObjectUpdate } from "../kind-strategy.ts";
import { equalField } from "../../../../api/schema/semantic-equality.ts";
import type { Sent } from "../../../../api/sent.ts";

type Specs = ObjectUpdate<Sent<PodSpec>>;
type Term = Sent<NodeSelectorTerm>;

function isGated({ schedulingGates = [] }: Sent<PodSpec>): boolean {
  return schedulingGates.length > 0;
}

/** Validates that a Pod with scheduling gates only narrows its node selector and node affinity. */
export function validateGatedPlacement({ next, previous }: Specs): FieldErrors {
  if (!isGated(previous)) return none;
  return [
    ...validateNodeSelector(next.nodeSelector ?? {}, previous.nodeSelector ?? {}),
    ...validateNodeAffinity(next.affinity?.nodeAffinity, previous.affinity?.nodeAffinity),
  ];
}

/**
 * Returns the spec with the node selector and node affinity of the previous one, if scheduling gates allow them to
 * differ.
 */
export function withPlacementOf(previous: Sent<PodSpec>, spec: Sent<PodSpec>): Sent<PodSpec> {
  if (!isGated(previous)) return spec;
  const before = previous.affinity?.nodeAffinity;
  const affinity = withMember(spec.affinity ?? {}, "nodeAffinity", before);
  const hasAffinity = previous.affinity !== undefined || Object.keys(affinity).length > 0;
  const placed = withMember(spec, "nodeSelector", previous.nodeSelector);
  return withMember(placed, "affinity", hasAffinity ? affinity : undefined);
}

type Labels = Readonly<Record<string, string>>;

function validateNodeSelector(next: Labels, previous: Labels): FieldErrors {
  const isKept = Object.entries(previous).every(
    ([key, value]) => Object.hasOwn(next, key) && next[key] === value,
  );
  const rule = "only additions to spec.nodeSelector are allowed (no mutations or deletions)";
  return isKept ? none : [invalid("spec.nodeSelector", next, rule)];
}

function validateNodeAffinity(
  next: Sent<NodeAffinity> | undefined,
  previous: Sent<NodeAffinity> | undefined,
): FieldErrors {
  const before = termsOf(previous);
  const after = termsOf(next);
  if (before.length === 0) return none;
  const path = "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms";
  if (before.length !== after.length)
    return [invalid(path, after, "no additions/deletions to non-empty NodeSelectorTerms list are allowed")];
  return after.flatMap((term, index) =>
    isNarrowed(term, before[index] ?? {})
      ? none
      : [invalid(`${path}[${index}]`, term, "only additions are allowed (no mutations or deletions)")],
  );
}

function termsOf(affinity: Sent<NodeAffinity> | undefined): readonly Term[] {
  return affinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
}

/** Reports whether a term is narrowed. An empty term matches no node; adding a requirement would widen it. */
function isNarrowed(next: Term, previous: Term): boolean {
  const wasEmpty = requirementsOf(previous) === 0;
  if (wasEmpty) return requirementsOf(next) === 0;
  return startsWith(next, previous, "matchExpressions") && startsWith(next, previous, "matchFields");
}

function requirementsOf({ matchExpressions = [], matchFields = [] }: Term): number {
  return matchExpressions.length + matchFields.length;
}

function startsWith(next: Term, previous: Term, list: "matchExpressions" | "matchFields"): boolean {
  const start: Term = { [list]: next[list]?.slice(0, previous[list]?.length ?? 0) };
  return equalField("core.v1.NodeSelectorTerm", [start, previous], list);
}
