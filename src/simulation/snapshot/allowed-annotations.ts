import { deletionCostAnnotation } from "../../api/deletion-cost.ts";
import {
  bindCompletedAnnotation,
  boundByControllerAnnotation,
  defaultClassAnnotation,
} from "../../api/volume-names.ts";
import { isJsonObject, type JsonObject } from "../../api/json.ts";
import { parseJson } from "../../api/parse-json.ts";
import { downscalePodPickerAnnotation } from "../../api/workload-settings.ts";
import { kwokNodeAnnotation } from "../../cluster/kubelet/behaviour/kwok.ts";
import { nodeSettingNames } from "../../cluster/kubelet/behaviour/node-behaviour.ts";
import { podSettingNames } from "../../cluster/kubelet/behaviour/pod-settings.ts";
import { simulationPrefix } from "../../cluster/kubelet/behaviour/simulation-prefix.ts";
import {
  beforeScaleAnnotation,
  desiredReplicasAnnotation,
  maxReplicasAnnotation,
  revisionAnnotation,
  revisionHistoryAnnotation,
  rollbackAnnotation,
} from "../../decisions/rollout/annotations.ts";
import { decisionAnnotation, originalCostAnnotation } from "../../decisions/stock/mark.ts";
import { wishAnnotations } from "../../decisions/stock/wish.ts";

/** Distinguishes templates that differ only in fields a snapshot does not have; see `withTemplateVariants`. */
export const templateVariantAnnotation = "trimtab.dev/template-variant";

/** Settings of simulated Pods that are free text: what containers log and answer. */
const freeSettings: ReadonlySet<string> = new Set(["log", "logInterval", "endpoint", "response"]);

const kwokStages = [
  "pod-create",
  "pod-ready",
  "pod-complete",
  "pod-delete",
  "pod-container-running-failed",
  "pod-init-container-running-failed",
];

/** The annotations that a snapshot has, by name. */
export const allowedAnnotations: ReadonlySet<string> = new Set([
  deletionCostAnnotation,
  revisionAnnotation,
  revisionHistoryAnnotation,
  desiredReplicasAnnotation,
  maxReplicasAnnotation,
  beforeScaleAnnotation,
  rollbackAnnotation,
  ...wishAnnotations,
  originalCostAnnotation,
  decisionAnnotation,
  templateVariantAnnotation,
  kwokNodeAnnotation,
  defaultClassAnnotation,
  bindCompletedAnnotation,
  boundByControllerAnnotation,
  ...[...podSettingNames, ...nodeSettingNames]
    .filter((name) => !freeSettings.has(name))
    .map((name) => `${simulationPrefix}${name}`),
  ...kwokStages.flatMap((stage) =>
    ["delay", "jitter-delay", "exit-code"].map((member) => `${stage}.stage.kwok.x-k8s.io/${member}`),
  ),
]);

/** The allowed ones of an object's annotations; of a picker only what `keepPicker` leaves. */
export function keepAllowedAnnotations(
  annotations: JsonObject,
  keepPicker: (picker: JsonObject) => JsonObject,
): JsonObject {
  const kept = Object.entries(annotations).flatMap(([name, value]): [string, string][] => {
    if (!allowedAnnotations.has(name) || typeof value !== "string") return [];
    if (name !== downscalePodPickerAnnotation) return [[name, value]];
    const parsed = parseJson(value);
    // Drops values that are not objects, since validation would quote their text.
    return parsed.ok && isJsonObject(parsed.value) ? [[name, JSON.stringify(keepPicker(parsed.value))]] : [];
  });
  return Object.fromEntries(kept);
}
