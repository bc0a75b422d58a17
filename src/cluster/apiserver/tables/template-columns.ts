import type { PodTemplateSpec } from "../../../api/generated/core-v1.ts";
import type { LabelSelector } from "../../../api/generated/meta-v1.ts";
import { noneText, selectorText } from "./cell-text.ts";
import { type TableCell, type Column, wideColumn } from "./table-description.ts";

/** The wide columns of everything that makes Pods from a template. */
export const containerColumns: readonly Column[] = [
  wideColumn("Containers", "The names of the containers in the template."),
  wideColumn("Images", "The images of the containers in the template."),
];

/** The wide columns of a template, and the selector of its Pods. */
export const templateColumns: readonly Column[] = [
  ...containerColumns,
  wideColumn("Selector", "Which Pods are counted, by their labels."),
];

/** The last wide column of kinds that report how many of their Pods are terminating. */
export const terminatingColumn: Column = wideColumn(
  "Terminating",
  "Pods that are being deleted and have not terminated yet.",
);

/** Returns the cell under `terminatingColumn`; `<none>` where terminating Pods are not counted. */
export function terminatingCell(status: { readonly terminatingReplicas?: number } | undefined): TableCell {
  return status?.terminatingReplicas === undefined ? noneText : String(status.terminatingReplicas);
}

/** Returns the cells under `containerColumns`. */
export function containerCells(template: PodTemplateSpec | null | undefined): readonly TableCell[] {
  const containers = template?.spec?.containers ?? [];
  return [containers.map(({ name }) => name).join(","), containers.map(({ image }) => image ?? "").join(",")];
}

/** Returns the cells under `templateColumns`. */
export function templateCells(spec: {
  readonly template?: PodTemplateSpec;
  readonly selector?: LabelSelector;
}): readonly TableCell[] {
  return [...containerCells(spec.template), selectorText(spec.selector)];
}
