import { parse } from "yaml";
import { readPage } from "./markdown.ts";

/** A question to Prometheus, and the text in which its labels are shown. */
export interface Query {
  readonly where: string;
  readonly expr: string;
  readonly shown: string;
}

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: { readonly summary: string; readonly runbook: string };
}

interface Panel {
  readonly id: number;
  readonly title: string;
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
}

const { groups } = parse(readPage("deploy/prometheus/alerts.yaml")) as {
  readonly groups: readonly { readonly rules: readonly Rule[] }[];
};
/** The alerts. */
export const rules = groups.flatMap((group) => group.rules);
/** The panels of the dashboard. */
export const { panels } = JSON.parse(readPage("deploy/grafana/trimtab.json")) as {
  readonly panels: readonly Panel[];
};
/** What all of them ask. */
export const queries: readonly Query[] = [
  ...rules.map(({ alert, expr, annotations }) => ({ where: alert, expr, shown: annotations.summary })),
  ...panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr, legendFormat }) => ({ where: title, expr, shown: legendFormat })),
  ),
];
