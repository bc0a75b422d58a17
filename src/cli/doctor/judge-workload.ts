import type { Deployment, ReplicaSet } from "../../api/generated/apps-v1.ts";
import { controllerOf } from "../../api/owner-references.ts";
import type { Labels } from "../../api/labels/label-selector.ts";
import { fieldErrorsText } from "../../api/field-error.ts";
import { removalOrderAnnotation } from "../../api/workload-settings.ts";
import { isSteered, wishAnnotations, wishCopies, wishesOf, wishText } from "../../decisions/stock/wish.ts";
import { validateWishes } from "../../decisions/stock/validate-wish.ts";
import { bad, type Finding, good, open } from "./finding.ts";

/** A workload that steer may steer. */
export type ExaminedWorkload =
  | { readonly kind: "Deployment"; readonly object: Deployment }
  | { readonly kind: "ReplicaSet"; readonly object: ReplicaSet };

export interface WorkloadSurroundings {
  readonly namespaceLabels: Labels;
  /** The namespaces that steer leaves out. */
  readonly leftOut: readonly string[];
  readonly replicaSets: readonly ReplicaSet[];
}

/** What a workload asks steer for, whether that makes sense, and whether its ReplicaSets carry it. */
export function judgeWishes(
  workload: ExaminedWorkload,
  { namespaceLabels, leftOut, replicaSets }: WorkloadSurroundings,
): readonly Finding[] {
  const { object } = workload;
  const { namespace = "" } = object.metadata;
  if (!isSteered(wishesOf(object, namespaceLabels)) && !hasWish(object, namespaceLabels))
    return [asksForNothing(workload)];
  const asked = wishAnnotations.filter((name) => wishText(object, name, namespaceLabels) !== undefined);
  return [
    good(
      "asks for",
      asked.map((name) => shortWish(name, wishText(object, name, namespaceLabels))).join(", "),
    ),
    ...judgeValues(workload),
    ...(leftOut.includes(namespace)
      ? [bad("namespace", `steer leaves ${namespace} out: nothing in it is steered`)]
      : []),
    ...judgeCopies(workload, replicaSets),
  ];
}

function hasWish(object: ExaminedWorkload["object"], labels: Labels): boolean {
  return wishAnnotations.some((name) => wishText(object, name, labels) !== undefined);
}

function asksForNothing({ kind, object: { metadata } }: ExaminedWorkload): Finding {
  return open(
    "asks for",
    "nothing: steer leaves it to the stock controllers",
    `kubectl -n ${metadata.namespace ?? ""} annotate ${kind.toLowerCase()}/${metadata.name} ${removalOrderAnnotation}=trimtab`,
  );
}

const longest = 60;

function shortWish(name: string, text = ""): string {
  const line = text.replaceAll(/\s+/g, " ");
  return `${name}: ${line.length > longest ? `${line.slice(0, longest)}…` : line}`;
}

/** Values that were written while steer did not answer were not refused. */
function judgeValues({ kind, object }: ExaminedWorkload): readonly Finding[] {
  const { metadata, spec } = object;
  const errors = [
    ...validateWishes(metadata.annotations, "metadata.annotations"),
    ...validateWishes(spec?.template?.metadata?.annotations, "spec.template.metadata.annotations"),
  ];
  if (errors.length === 0) return [good("values", "make sense")];
  const edit = `kubectl -n ${metadata.namespace ?? ""} edit ${kind.toLowerCase()}/${metadata.name}`;
  return [bad("values", fieldErrorsText(errors), edit)];
}

/** The API server calls the webhook for ReplicaSets that carry what their Deployment asks for. */
function judgeCopies({ kind, object }: ExaminedWorkload, all: readonly ReplicaSet[]): readonly Finding[] {
  if (kind !== "Deployment") return [];
  const own = all.filter((each) => controllerOf(each)?.uid === object.metadata.uid);
  const behind = own.filter((each) => wishCopies(object, each) !== undefined);
  if (own.length === 0) return [open("carried", "it has no ReplicaSet yet")];
  if (behind.length === 0)
    return [good("carried", `by ${own.length === 1 ? "its ReplicaSet" : `all ${own.length} ReplicaSets`}`)];
  const names = behind.map(({ metadata }) => metadata.name).join(", ");
  return [bad("carried", `${names} does not carry what the Deployment asks for: no copy of steer leads`)];
}
