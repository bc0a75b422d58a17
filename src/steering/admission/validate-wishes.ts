import { formatDuration, parseDuration } from "../../api/duration.ts";
import { detailsCauses, type FieldError, fieldErrorsText } from "../../api/field-error.ts";
import type { JsonObject } from "../../api/json.ts";
import { protectionLimitAnnotation, validateProtectionLimit } from "../../api/pod-protection.ts";
import { downscalePodPickerAnnotation } from "../../api/workload-settings.ts";
import { ignoredPickerMessage } from "../../decisions/explain/ignored-picker.ts";
import { validateWishes } from "../../decisions/stock/validate-wish.ts";
import { wishAnnotations } from "../../decisions/stock/wish.ts";
import { unsupportedKinds } from "../unsupported-kinds.ts";
import { type AdmissionAnswer, type AdmissionRequest, admitted, objectOf, textOf } from "./review.ts";

/** What wishes are validated by. */
interface Validation {
  readonly arePickersOff: boolean;
  /** Whether protected Pods are waited for. */
  readonly isProtecting: () => boolean;
}

/**
 * Makes the handler that refuses wishes that make no sense where they are written: on Deployments and ReplicaSets, in their
 * templates, on namespaces. It warns of pickers where these are off, and of limits of protection beyond a progress deadline.
 */
export function validatingAdmission(
  validation: Validation,
): (request: AdmissionRequest) => Promise<AdmissionAnswer> {
  return (request) => Promise.resolve(validate(request, validation));
}

function validate(
  { object, oldObject, resource }: AdmissionRequest,
  { arePickersOff, isProtecting }: Validation,
): AdmissionAnswer {
  const kind = unsupportedKinds.get(resource);
  if (kind !== undefined) return unsupported(kind, object, oldObject);
  // Its controller wrote what the Deployment has had for long; without it, a rollout would not go on.
  if (resource === "replicasets" && isControlled(object)) return admitted;
  const at: readonly Place[] = resource === "namespaces" ? [["metadata", "labels"]] : places;
  const limit = newLimit(object, oldObject);
  const errors = [
    ...at.flatMap((place) =>
      validateWishes(mapIn(object, ...place), place.join("."), mapIn(oldObject, ...place)),
    ),
    ...validateProtectionLimit(limit, limitPath),
  ];
  if (errors.length > 0) return refusal(object, errors);
  const warnings = [
    ...(arePickersOff ? pickerWarnings(object, oldObject) : []),
    ...(isProtecting() ? deadlineWarnings(limit, object) : []),
  ];
  return warnings.length === 0 ? admitted : { allowed: true, warnings };
}

const limitPath = `metadata.annotations[${protectionLimitAnnotation}]`;

/** The limit of protection, if it was not there before. */
function newLimit(object?: JsonObject, oldObject?: JsonObject): string | undefined {
  const [now, before] = [object, oldObject].map(
    (each) => mapIn(each, "metadata", "annotations")?.[protectionLimitAnnotation],
  );
  return typeof now === "string" && now !== before ? now : undefined;
}

/** The deadline runs in the stock controller, which knows nothing of protection. */
function deadlineWarnings(limit: string | undefined, object?: JsonObject): readonly string[] {
  const spec = mapIn(object, "spec");
  const seconds = spec?.["progressDeadlineSeconds"];
  const limitMs = parseDuration(limit);
  if (typeof seconds !== "number" || limitMs === undefined || limitMs <= seconds * 1000) return [];
  if (mapIn(object, "spec", "strategy")?.["type"] === "Recreate") return [];
  const [longer, deadline] = [formatDuration(limitMs), formatDuration(seconds * 1000)];
  return [
    `${limitPath}: ${longer} is longer than spec.progressDeadlineSeconds: a rollout that waits for protected pods is reported as failed after ${deadline}, and goes on`,
  ];
}

/** Says of wishes that were not there before that nothing comes of them. */
function unsupported(kind: string, object?: JsonObject, oldObject?: JsonObject): AdmissionAnswer {
  const fields = places.flatMap((place) =>
    wishAnnotations.flatMap((name) => {
      const isNew =
        mapIn(object, ...place)?.[name] !== undefined && mapIn(oldObject, ...place)?.[name] === undefined;
      return isNew ? [`${place.join(".")}[${name}]`] : [];
    }),
  );
  if (fields.length === 0) return admitted;
  const warning = `${fields.join(", ")}: has no effect on a ${kind}: trimtab steer steers ReplicaSets, and what scales them`;
  return { allowed: true, warnings: [warning] };
}

type Place = readonly string[];

const places = [
  ["metadata", "annotations"],
  ["spec", "template", "metadata", "annotations"],
] as const;

/** Warns of each new picker that steer does not ask it, since pickers are off. */
function pickerWarnings(object?: JsonObject, oldObject?: JsonObject): readonly string[] {
  const name = downscalePodPickerAnnotation;
  return places.flatMap((place) => {
    const picker = mapIn(object, ...place)?.[name];
    const isNew = picker !== undefined && picker !== mapIn(oldObject, ...place)?.[name];
    return isNew ? [`${place.join(".")}[${name}]: ${ignoredPickerMessage}`] : [];
  });
}

function isControlled(object: JsonObject | undefined): boolean {
  const references = mapIn(object, "metadata")?.["ownerReferences"];
  return Array.isArray(references) && references.some((each) => objectOf(each)?.["controller"] === true);
}

function mapIn(object: JsonObject | undefined, ...path: Place): JsonObject | undefined {
  return path.reduce((parent, member) => objectOf(parent?.[member]), object);
}

/** As the API server refuses a field. */
function refusal(object: JsonObject | undefined, errors: readonly FieldError[]): AdmissionAnswer {
  const kind = textOf(object?.["kind"]);
  const name = textOf(mapIn(object, "metadata")?.["name"]);
  return {
    allowed: false,
    status: {
      status: "Failure",
      code: 422,
      reason: "Invalid",
      message: `${kind} ${JSON.stringify(name)} is invalid: ${fieldErrorsText(errors)}`,
      details: { kind, name, causes: detailsCauses(errors) },
    },
  };
}
