import { scaleDownSpreadAnnotation } from "../../api/workload-settings.ts";

const shownLength = 60;

/** Says that the annotation of a workload makes no sense, and what happens instead. */
export function invalidSpreadMessage(value: unknown): string {
  const text = JSON.stringify(value) ?? "";
  const shown = text.length > shownLength ? `${text.slice(0, shownLength)}…` : text;
  return `Annotation ${scaleDownSpreadAnnotation} is ${shown}, which is neither "true" nor "false"; the feature gate TopologyAwareScaleDown decides`;
}
