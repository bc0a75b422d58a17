import { visibleLine } from "../../api/visible-text.ts";
import {
  countText,
  joinParagraphs,
  type Paint,
  plain,
  type TextOptions,
  type TextStyle,
} from "../../decisions/explain/text-table.ts";
import type { DoctorReport, Finding, FindingGroup } from "./finding.ts";

const signs: Readonly<Record<Finding["state"], { readonly text: string; readonly style: TextStyle }>> = {
  good: { text: "ok  ", style: "good" },
  bad: { text: "FAIL", style: "bad" },
  open: { text: "?   ", style: "open" },
};

/** The report as a page: a line for each finding, and below what is not good the command that mends it. */
export function doctorText(report: DoctorReport, { paint = plain }: TextOptions): string {
  const width = Math.max(
    0,
    ...report.groups.flatMap(({ findings }) => findings.map(({ name }) => name.length)),
  );
  const groups = report.groups.map((group) => groupText(group, width, paint));
  return joinParagraphs([...groups, [summary(report)]]);
}

function groupText({ about, findings }: FindingGroup, width: number, paint: Paint): readonly string[] {
  return [
    paint("heading", visibleLine(about)),
    ...findings.flatMap(({ name, state, says, mend }) => {
      const { text, style } = signs[state];
      const line = `  ${paint(style, text)}  ${name.padEnd(width)}  ${visibleLine(says)}`;
      return mend === undefined ? [line] : [line, `${" ".repeat(10 + width)}→ ${visibleLine(mend)}`];
    }),
  ];
}

function summary({ groups, healthy }: DoctorReport): string {
  const findings = groups.flatMap((group) => group.findings);
  const countOf = (state: Finding["state"]) => findings.filter((each) => each.state === state).length;
  const unknown = countOf("open");
  const rest = unknown === 0 ? "" : `; ${unknown} open`;
  return healthy
    ? `Nothing is wrong: ${countText(countOf("good"), "check")} passed${rest}.`
    : `${countOf("bad")} of ${countText(findings.length, "check")} failed${rest}.`;
}
