import type { ObservedWorkload } from "../../decisions/stock/observation.ts";
import { type Command, type Invocation, reportErrors, type Terminal } from "../command.ts";
import { tableLines } from "../simulate/comparison-text.ts";
import { readObservations } from "./observation-file.ts";

export const reportFormats = ["text", "json", "html"] as const;

/** Prints what copies in mode observe have written: per workload, how often steering would have differed from the stock controllers. */
export function reportObservations(command: Command, invocation: Invocation, terminal: Terminal): number {
  const paths = invocation.arguments.slice(1);
  if (paths.length === 0)
    return reportErrors(terminal, command, [
      "report needs the folder or the files of --observations, or the ConfigMap as JSON",
    ]);
  const read = readObservations(paths);
  if (!read.ok) return reportErrors(terminal, command, [read.problem]);
  if (read.unreadable > 0) terminal.err(`${read.unreadable} lines could not be read and are left out`);
  const format = invocation.flags["output"];
  const print = format === "json" ? jsonOf : format === "html" ? pageOf : textOf;
  terminal.out(print(read.workloads));
  return 0;
}

function jsonOf(workloads: readonly ObservedWorkload[]): string {
  return JSON.stringify({ kind: "SteeringReport", workloads }, undefined, 2);
}

const head = [
  "WORKLOAD",
  "SCALE-DOWNS",
  "DIFFERED",
  "OTHER PODS",
  "OVER BUDGET",
  "BY AT MOST",
  "FIRST",
  "LAST",
];

function rowOf(each: ObservedWorkload): readonly string[] {
  const { removals, differing, otherPods, exceeded, mostBeyond } = each;
  const counts = [removals, differing, otherPods, exceeded, mostBeyond].map(String);
  return [each.workload, ...counts, each.first, each.last];
}

function sentenceOf(all: readonly ObservedWorkload[]): string {
  const sum = (of: (each: ObservedWorkload) => number) => all.reduce((total, each) => total + of(each), 0);
  return `${sum(({ removals }) => removals)} scale-downs of ${all.length} workloads: ${sum(({ differing }) => differing)} removed other Pods than trimtab steer would have; growth exceeded a budget ${sum(({ exceeded }) => exceeded)} times`;
}

function textOf(all: readonly ObservedWorkload[]): string {
  if (all.length === 0) return "Nothing was observed.";
  return [sentenceOf(all), "", ...tableLines([head, ...all.map(rowOf)])].join("\n");
}

/** A page without scripts or requests. */
function pageOf(all: readonly ObservedWorkload[]): string {
  const cells = (tag: "th" | "td", row: readonly string[]) =>
    `<tr>${row.map((cell) => `<${tag}>${escaped(cell)}</${tag}>`).join("")}</tr>`;
  return [
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>What trimtab steer would do</title>',
    "<style>body{font:15px system-ui;margin:2rem}table{border-collapse:collapse}th,td{padding:.3rem .8rem;text-align:left;border-bottom:1px solid #ccc}</style>",
    `<h1>What trimtab steer would do</h1><p>${escaped(sentenceOf(all))}</p>`,
    `<table>${cells("th", head)}${all.map((each) => cells("td", rowOf(each))).join("")}</table></html>`,
  ].join("\n");
}

function escaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
