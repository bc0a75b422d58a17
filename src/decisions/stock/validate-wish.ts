import { type FieldError, forbidden, invalid, notSupported } from "../../api/field-error.ts";
import { pickerDefaults } from "../../api/pod-picker/pod-picker.ts";
import { validatePicker } from "../../api/pod-picker/validate-picker.ts";
import { parseJson } from "../../api/parse-json.ts";
import { decodeObject } from "../../api/schema/decode-object.ts";
import {
  downscalePodPickerAnnotation,
  podReplacementPolicyAnnotation,
  removalOrderAnnotation,
  scaleDownSpreadAnnotation,
  steeringModeAnnotation,
} from "../../api/workload-settings.ts";
import { steeringModes, wishAnnotations } from "./wish.ts";

type Annotations = Readonly<Record<string, unknown>> | null | undefined;

/** Validates the wishes in annotations or labels, worded as for fields. A value that is stored already is accepted. */
export function validateWishes(next: Annotations, path: string, stored?: Annotations): readonly FieldError[] {
  const contradictions = contradictionIn(stored) ? [] : contradiction(next, path);
  const invalidOnes = wishAnnotations.flatMap((name) => {
    const value = next?.[name];
    if (value === undefined || value === stored?.[name]) return [];
    const at = `${path}[${name}]`;
    return typeof value === "string" ? validators[name](value, at) : [invalid(at, value, "must be a text")];
  });
  return [...invalidOnes, ...contradictions];
}

/** Whether nodes are to be emptied and domains to be kept even. */
function contradictionIn(wishes: Annotations): boolean {
  return wishes?.[removalOrderAnnotation] === "consolidate" && wishes[scaleDownSpreadAnnotation] === "true";
}

function contradiction(wishes: Annotations, path: string): readonly FieldError[] {
  if (!contradictionIn(wishes)) return [];
  const problem = `excludes ${scaleDownSpreadAnnotation}: true: one empties domains, the other keeps them even`;
  return [forbidden(`${path}[${removalOrderAnnotation}]`, problem)];
}

const policies = ["TerminationComplete", "TerminationStarted"];
const orders = ["trimtab", "consolidate"];
const switches = ["true", "false"];

const validators: Readonly<
  Record<(typeof wishAnnotations)[number], (value: string, path: string) => readonly FieldError[]>
> = {
  [removalOrderAnnotation]: (value, path) =>
    orders.includes(value) ? [] : [notSupported(path, value, orders)],
  [podReplacementPolicyAnnotation]: (value, path) =>
    policies.includes(value) ? [] : [notSupported(path, value, policies)],
  [downscalePodPickerAnnotation]: validatePickerText,
  [scaleDownSpreadAnnotation]: (value, path) =>
    switches.includes(value) ? [] : [notSupported(path, value, switches)],
  [steeringModeAnnotation]: (value, path) =>
    steeringModes.some((mode) => mode === value) ? [] : [notSupported(path, value, [...steeringModes])],
};

const pickerType = "apps.v1.DownscalePodPicker";

function validatePickerText(text: string, path: string): readonly FieldError[] {
  const parsed = parseJson(text);
  if (!parsed.ok) return [invalid(path, shortened(text), "must be JSON")];
  const decoded = decodeObject(pickerType, parsed.value);
  if (!decoded.ok) return [invalid(path, shortened(text), "must be a pod picker")];
  const unknown = decoded.unknownFields.map((problem) => forbidden(path, problem));
  return [...unknown, ...validatePicker(pickerDefaults(decoded.object), path)];
}

const shownLength = 60;

function shortened(text: string): string {
  return text.length > shownLength ? `${text.slice(0, shownLength)}…` : text;
}
