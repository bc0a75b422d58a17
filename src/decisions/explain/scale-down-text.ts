import type { OwnerRemoval, ScaleDownExplanation } from "./explain-scale-down.ts";
import { topologyName } from "../downscale/topology-name.ts";
import type { DecidedBy } from "./decided-by.ts";
import type { PickerExplanation, RankedPod } from "./rank-candidates.ts";
import { legend, shortened } from "./scale-down-legend.ts";
import type { ConstraintCounts } from "./spread-counts.ts";
import {
  type TextCell,
  countText,
  joinParagraphs,
  type Paint,
  plain,
  type TextOptions,
  textTable,
  type TextStyle,
} from "./text-table.ts";

const mostNames = 5;

/** A scale-down for people: who goes, in which order, and what decided between neighbours. */
export function scaleDownText(
  explanation: ScaleDownExplanation,
  { isWide = false, paint = plain }: TextOptions = {},
): string {
  const { owners, decidedBy, notes, gates } = explanation;
  const losing = owners.filter(({ removing, held = 0 }) => removing + held > 0);
  return joinParagraphs([
    [paint("heading", headline(explanation)), ...sharing(explanation)],
    [describeDecidedBy(decidedBy)],
    ...losing.map((owner) => describeOwner(owner, { isWide, paint, isTitled: owners.length > 1 })),
    losing.length > 0 ? legend(losing, { isWide, isRough: gates.LogarithmicScaleDown }) : [],
    notes.map((note) => `Note: ${note}`),
  ]);
}

function headline(explanation: ScaleDownExplanation): string {
  const { workload, from, to, removing, owners } = explanation;
  const { kind, namespace, name } = workload;
  const change = `${kind} ${namespace}/${name}: ${from} → ${countText(to, "replica")}`;
  const pods = owners.reduce((sum, owner) => sum + owner.pods, 0);
  if (removing === 0) {
    const why = whyNone(explanation, pods);
    return `${change}. No Pod goes: ${why}.`;
  }
  const rows = owners.flatMap(({ candidates }) => candidates);
  const certain = rows.filter(({ verdict }) => verdict === "goes").length;
  const open = rows.filter(({ verdict }) => verdict === "either").length;
  const which =
    open === 0
      ? ""
      : `: ${certain} for certain, and ${removing - certain} of ${open} that the order does not decide between`;
  return `${change}. ${removing} of ${countText(pods, "Pod")} ${removing === 1 ? "goes" : "go"}${which}.`;
}

function whyNone({ from, to, owners }: ScaleDownExplanation, pods: number): string {
  if (owners.some(({ held = 0 }) => held > 0)) return "the Pods that would go are protected";
  return to > from ? "this is a scale-up" : `it has ${countText(pods, "Pod")}`;
}

/** How a Deployment shares a size between several ReplicaSets. */
function sharing({ owners, because, removing }: ScaleDownExplanation): readonly string[] {
  if (owners.length < 2 || removing === 0) return [];
  const sizes = owners.map(({ name, from, to }) => `${name} ${from} → ${to}`);
  return [`${capital(because)}: ${sizes.join(", ")}.`];
}

/** Whose controllers decide, and how that is known. */
export function describeDecidedBy({ profile, how, because }: DecidedBy): string {
  const controllers = profile === "trimtab" ? "Trimtab's controllers" : "kube-controller-manager 1.36";
  const decided = `Decided by ${controllers} (profile ${profile})`;
  if (how === "chosen") return `${decided}, as --as says.`;
  return `${decided}, ${how === "found" ? "because" : "assumed, since"} ${because}. --as chooses another.`;
}

interface OwnerTextOptions {
  readonly isWide: boolean;
  readonly isTitled: boolean;
  readonly paint: Paint;
}

function describeOwner(
  owner: OwnerRemoval,
  { isWide, isTitled, paint }: OwnerTextOptions,
): readonly string[] {
  const { kind, name, revision, role, pods, removing, candidates } = owner;
  const numbered =
    revision === undefined ? "" : ` (revision ${revision}${role === "new" ? ", the current one" : ""})`;
  const title = `${kind} ${name}${numbered}: ${removing} of ${countText(pods, "Pod")}`;
  const listed = isWide ? candidates : shortened(candidates);
  const rows = listed.map((row) => (row === undefined ? [] : rowOf(row, isWide)));
  const headings = [
    "ORDER",
    "POD",
    "NODE",
    ...(isWide ? ["UID"] : []),
    "VERDICT",
    "BEFORE THE NEXT ONE, BECAUSE",
  ];
  return [
    ...(isTitled ? [paint("heading", title)] : []),
    ...textTable(headings, rows, paint),
    ...hidden(candidates, listed),
    ...(owner.spread?.constraints ?? []).map((constraint) => describeDomains(constraint, isWide)),
    ...owner.pickers.flatMap(describePicker),
  ];
}

const hiddenPhrases: Readonly<Record<RankedPod["verdict"], string>> = {
  goes: "more that go",
  either: "more of which some may go",
  stays: "more that stay",
  protected: "more that are protected",
};

function hidden(candidates: readonly RankedPod[], listed: readonly RankedPod[]): readonly string[] {
  const phrases = (["goes", "either", "stays", "protected"] as const).flatMap((verdict) => {
    const count = (rows: readonly RankedPod[]) => rows.filter((row) => row.verdict === verdict).length;
    const left = count(candidates) - count(listed);
    return left === 0 ? [] : [`${left} ${hiddenPhrases[verdict]}`];
  });
  return phrases.length === 0 ? [] : [`… and ${phrases.join(", ")}; -o wide shows all.`];
}

const styles: Readonly<Record<RankedPod["verdict"], TextStyle>> = {
  goes: "bad",
  stays: "good",
  either: "open",
  protected: "good",
};

function rowOf(row: RankedPod, isWide: boolean): readonly TextCell[] {
  const { place, pod, node, uid, verdict, beforeNext, protection } = row;
  return [
    String(place),
    pod,
    node ?? "<none>",
    ...(isWide ? [uid] : []),
    { text: verdict, style: styles[verdict] },
    beforeNext?.reason ?? protection ?? "",
  ];
}

/** `Pods per zone: b 7 → 5, a 5`. */
function describeDomains({ topologyKey, domains, leftOut = 0 }: ConstraintCounts, isWide: boolean): string {
  const listed = isWide ? domains : domains.slice(0, mostNames);
  const counts = listed.map(({ domain = "<none>", before, after }) =>
    before === after ? `${domain} ${after}` : `${domain} ${before} → ${after}`,
  );
  const more = domains.length + leftOut - listed.length;
  return `Pods per ${topologyName(topologyKey)}: ${counts.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

function describePicker({ candidates, requested, answer }: PickerExplanation): readonly string[] {
  const names = candidates.slice(0, mostNames).join(", ");
  const more = candidates.length > mostNames ? ` and ${candidates.length - mostNames} more` : "";
  const question = `choose ${requested} of ${countText(candidates.length, "Pod")} (${names}${more})`;
  return answer === undefined
    ? [
        `Its pod picker would be asked to ${question}, and its answer comes before the rules from "co-located" on;`,
        "the order above is the one without an answer. --ask-picker asks it now.",
      ]
    : [`Its pod picker was asked to ${question}: ${answer.outcome}.`];
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
