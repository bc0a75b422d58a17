import type { PodTemplateSpec } from "../../../api/generated/core-v1.ts";
import type { LabelSelector } from "../../../api/generated/meta-v1.ts";
import { selectorText } from "./cell-text.ts";
import { type Cell, type Column, wideColumn } from "./table-description.ts";

/** The wide columns of everything that makes Pods from a template. */
export const containerColumns: readonly Column[] = [
  wideColumn("Containers", "The names of the containers in the template."),
  wideColumn("Images", "The images of the containers in the template."),
];

/** The same with the selector that finds the Pods. */
export const templateColumns: readonly Column[] = [
  ...containerColumns,
  wideColumn("Selector", "Which Pods are counted, by their labels."),
];

/** The cells under `containerColumns`. */
export function containerCells(template: PodTemplateSpec | null | undefined): readonly Cell[] {
  const containers = template?.spec?.containers ?? [];
  return [containers.map(({ name }) => name).join(","), containers.map(({ image }) => image ?? "").join(",")];
}

/** The cells under `templateColumns`. */
export function templateCells(spec: {
  readonly template?: PodTemplateSpec;
  readonly selector?: LabelSelector;
}): readonly Cell[] {
  return [...containerCells(spec.template), selectorText(spec.selector)];
}
