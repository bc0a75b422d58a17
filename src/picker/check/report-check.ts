import { type CheckedRow, countVerdicts } from "./check-picker.ts";
import type { CheckVerdict } from "./verdict.ts";

/** A check of one picker. */
export interface CheckReport {
  readonly url: string;
  readonly rows: readonly CheckedRow[];
}

/** How a report is written. */
export const checkReportFormats = ["text", "json", "junit"] as const;
export type ReportFormat = (typeof checkReportFormats)[number];

export function writeReport(report: CheckReport, format: ReportFormat): string {
  switch (format) {
    case "text":
      return writeText(report);
    case "json":
      return writeJson(report);
    case "junit":
      return writeJUnit(report);
  }
}

const marks: Readonly<Record<CheckVerdict["kind"], string>> = {
  pass: "ok  ",
  fail: "FAIL",
  warn: "warn",
  skip: "-   ",
};

function writeText({ url, rows }: CheckReport): string {
  const [first] = rows;
  if (first !== undefined && rows.length === 1)
    return `${url}: ${first.verdict.detail}; nothing else was checked`;
  const width = Math.max(...rows.map(({ name }) => name.length));
  const lines = rows.flatMap(({ name, promise, verdict: { kind, detail } }) => [
    `${marks[kind]}  ${name.padEnd(width)}  ${promise}`,
    ...(kind === "pass" || detail === "" ? [] : [`${" ".repeat(width + 8)}${detail}`]),
  ]);
  const { pass, fail, warn, skip } = countVerdicts(rows);
  const parts = [
    `${pass} passed`,
    `${fail} failed`,
    `${warn} ${warn === 1 ? "warning" : "warnings"}`,
    ...(skip === 0 ? [] : [`${skip} skipped`]),
  ];
  return [url, "", ...lines, "", parts.join(", ")].join("\n");
}

function writeJson({ url, rows }: CheckReport): string {
  const list = rows.map(({ name, promise, verdict, tookMs }) => ({
    name,
    promise,
    verdict: verdict.kind,
    detail: verdict.detail,
    tookMs,
  }));
  return JSON.stringify({ url, counts: countVerdicts(rows), rows: list }, undefined, 2);
}

/** One test case per row; warnings are output of a case that passed. */
function writeJUnit({ url, rows }: CheckReport): string {
  const { fail, skip } = countVerdicts(rows);
  const counts = `tests="${rows.length}" failures="${fail}" errors="0" skipped="${skip}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts}>`,
    `  <testsuite name="trimtab picker check ${escaped(url)}" ${counts}>`,
    ...rows.flatMap(testCase),
    "  </testsuite>",
    "</testsuites>",
  ].join("\n");
}

function testCase({ name, promise, verdict: { kind, detail }, tookMs }: CheckedRow): readonly string[] {
  const start = `    <testcase classname="picker.${escaped(name)}" name="${escaped(promise)}" time="${tookMs / 1000}"`;
  const inner = {
    pass: undefined,
    fail: `<failure message="${escaped(detail)}"/>`,
    warn: `<system-out>warning: ${escaped(detail)}</system-out>`,
    skip: `<skipped message="${escaped(detail)}"/>`,
  }[kind];
  return inner === undefined ? [`${start}/>`] : [`${start}>`, `      ${inner}`, "    </testcase>"];
}

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Text for XML 1.0, which has no form for control characters. */
function escaped(text: string): string {
  return text
    .replace(/[&<>"]/g, (special) => entities[special] ?? "")
    .replace(/[\p{Cc}\p{Cs}\uFFFE\uFFFF]/gu, " ");
}
