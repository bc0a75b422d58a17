import { formatDuration } from "../../api/duration.ts";
import {
  type TextCell,
  countText,
  joinParagraphs,
  type Paint,
  plain,
  type TextOptions,
  textTable,
} from "../../decisions/explain/text-table.ts";
import { titleOf } from "../../user-actions/describe-action.ts";
import type { PodPlace, WhatIfReport, WorkloadReport, WorkloadState } from "./what-if-report.ts";

/**
 * A report for people: before and after, who went and why, who came, who is not ready, and what was assumed. The wide one
 * has every workload instead of those that Pods came to or went from, namespaces, and the rule of each removal.
 */
export function describeWhatIf(report: WhatIfReport, options: TextOptions = {}): string {
  const { paint = plain, isWide = false } = options;
  const table = (headings: readonly string[], rows: readonly (readonly TextCell[])[]) =>
    rows.length === 0 ? [] : textTable(headings, rows, paint);
  return joinParagraphs([
    [paint("heading", `What if ${listed(report.changes)}?`), outcomeOf(report)],
    workloadTable(report, { isWide, paint }),
    titled(
      `Went: ${countText(report.went.length, "Pod")}${openText(report)}`,
      table(
        ["POD", "NODE", "ZONE", "AFTER", ...(isWide ? ["RULE"] : []), "BECAUSE"],
        report.went.map((pod) => [
          ...placeCells(pod, isWide),
          after(pod.afterSeconds),
          ...(isWide ? [pod.rule] : []),
          pod.because,
        ]),
      ),
    ),
    titled(
      `Came: ${countText(report.came.length, "Pod")}`,
      table(
        ["POD", "NODE", "ZONE", "AFTER", "READY"],
        report.came.map((pod) => [...placeCells(pod, isWide), after(pod.afterSeconds), readyCell(pod)]),
      ),
    ),
    titled(
      `Not as it should be: ${countText(report.notReady.length, "Pod")}`,
      table(
        ["POD", "NODE", "ZONE", "BECAUSE"],
        report.notReady.map((pod) => [...placeCells(pod, isWide), { text: pod.because, style: "bad" }]),
      ),
    ),
    ["Assumed:", ...report.assumptions.map((each) => `- ${each}`)],
  ]);
}

/** Returns a note about removals that could as well have hit other Pods. */
function openText({ went }: WhatIfReport): string {
  const open = went.filter(({ rule }) => rule === "either").length;
  return open === 0 ? "" : `; for ${open} of them others might go instead: the order does not decide there`;
}

/** A title over a table, or nothing where there is none. */
function titled(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [title, ...lines];
}

function outcomeOf({ takenAt, stable, tookSeconds, went, came }: WhatIfReport): string {
  const when = `From ${takenAt} on:`;
  if (!stable) return `${when} it does not come to rest within ${spanOf(tookSeconds)}.`;
  if (went.length + came.length === 0) return `${when} no Pod comes or goes.`;
  return `${when} ${countText(went.length, "Pod")} went, ${countText(came.length, "Pod")} came; it took ${spanOf(tookSeconds)}.`;
}

function workloadTable(
  report: WhatIfReport,
  { isWide, paint }: { isWide: boolean; paint: Paint },
): readonly string[] {
  const shown = report.workloads.filter(({ isAffected }) => isWide || isAffected);
  if (shown.length === 0) return [];
  const zones = zonesOf(shown);
  const rows = shown.map((workload): readonly TextCell[] => [
    ...(isWide ? [workload.namespace] : []),
    titleOf(workload),
    wantedCell(workload),
    change(workload.before.pods, workload.after.pods),
    readyChange(workload),
    extreme(workload.lowestReady),
    extreme(workload.mostPods),
    ...(zones.length === 0
      ? []
      : [
          change(zoneCell(workload.before, zones), zoneCell(workload.after, zones)),
          change(workload.before.skew, workload.after.skew),
        ]),
  ]);
  const spread = zones.length === 0 ? [] : [`IN ${zones.join("/")}`, "SKEW"];
  const names = isWide ? ["NAMESPACE", "WORKLOAD"] : ["WORKLOAD"];
  return textTable(
    [...names, "WANTED", "PODS", "READY", "FEWEST READY", "MOST PODS", ...spread],
    rows,
    paint,
  );
}

function zonesOf(workloads: readonly WorkloadReport[]): readonly string[] {
  const names = workloads.flatMap(({ before, after: then }) => [
    ...Object.keys(before.zones),
    ...Object.keys(then.zones),
  ]);
  return [...new Set(names)].sort();
}

const zoneCell = ({ zones }: WorkloadState, names: readonly string[]) =>
  names.map((zone) => zones[zone] ?? 0).join("/");

function wantedCell({ before, after: then }: WorkloadReport): string {
  if (before.wanted === undefined && then.wanted === undefined) return "";
  return change(before.wanted ?? 0, then.wanted ?? 0);
}

function readyChange({ before, after: then }: WorkloadReport): TextCell {
  const text = change(before.ready, then.ready);
  return then.ready < (then.wanted ?? then.pods) ? { text, style: "bad" } : text;
}

function change<T extends number | string>(before: T, then: T): string {
  return before === then ? `${then}` : `${before} → ${then}`;
}

function extreme({ pods, afterSeconds }: { readonly pods: number; readonly afterSeconds: number }): string {
  return afterSeconds === 0 ? `${pods}` : `${pods} (${after(afterSeconds)})`;
}

function placeCells(
  { namespace, pod, node = "<none>", zone = "" }: PodPlace,
  isWide: boolean,
): readonly string[] {
  return [isWide ? `${namespace}/${pod}` : pod, node, zone];
}

function readyCell({ readyAfterSeconds }: { readonly readyAfterSeconds?: number }): TextCell {
  return readyAfterSeconds === undefined ? { text: "no", style: "bad" } : after(readyAfterSeconds);
}

const after = (seconds: number) => `+${spanOf(seconds)}`;
const spanOf = (seconds: number) => formatDuration(seconds * 1000);

/** `a, b and c`. */
function listed(parts: readonly string[]): string {
  if (parts.length === 0) return "nothing is changed";
  const [last, ...others] = parts.toReversed();
  return others.length === 0 ? `${last}` : `${others.reverse().join(", ")} and ${last}`;
}
