import { detailsCauses, type FieldError, fieldErrorsText } from "../../api/field-error.ts";
import type { JsonObject } from "../../api/json.ts";
import { downscalePodPickerAnnotation } from "../../api/workload-settings.ts";
import { ignoredPickerMessage } from "../../decisions/explain/ignored-picker.ts";
import { validateWishes } from "../../decisions/stock/validate-wish.ts";
import { wishAnnotations } from "../../decisions/stock/wish.ts";
import { unsupportedKinds } from "../unsupported-kinds.ts";
import { type AdmissionAnswer, type AdmissionRequest, admitted, objectOf, textOf } from "./review.ts";

/**
 * Makes the handler that refuses wishes that make no sense where they are written: on Deployments and ReplicaSets, in their
 * templates, on namespaces. Where pickers are off, it warns of those that are written.
 */
export function validatingAdmission({
  arePickersOff,
}: {
  readonly arePickersOff: boolean;
}): (request: AdmissionRequest) => Promise<AdmissionAnswer> {
  return ({ object, oldObject, resource }) => {
    const kind = unsupportedKinds.get(resource);
    if (kind !== undefined) return Promise.resolve(unsupported(kind, object, oldObject));
    const at: readonly Place[] = resource === "namespaces" ? [["metadata", "labels"]] : places;
    const errors = at.flatMap((place) =>
      validateWishes(mapIn(object, ...place), place.join("."), mapIn(oldObject, ...place)),
    );
    if (errors.length > 0) return Promise.resolve(refusal(object, errors));
    const warnings = arePickersOff ? pickerWarnings(object, oldObject) : [];
    return Promise.resolve(warnings.length === 0 ? admitted : { allowed: true, warnings });
  };
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

/** Says of each picker that was not there before that nobody asks it; a ReplicaSet has a copy of its Deployment's. */
function pickerWarnings(object?: JsonObject, oldObject?: JsonObject): readonly string[] {
  if (isOwned(object)) return [];
  const name = downscalePodPickerAnnotation;
  return places.flatMap((place) => {
    const picker = mapIn(object, ...place)?.[name];
    const isNew = picker !== undefined && picker !== mapIn(oldObject, ...place)?.[name];
    return isNew ? [`${place.join(".")}[${name}]: ${ignoredPickerMessage}`] : [];
  });
}

function isOwned(object: JsonObject | undefined): boolean {
  const references = mapIn(object, "metadata")?.["ownerReferences"];
  return Array.isArray(references) && references.some((each) => objectOf(each)?.["kind"] === "Deployment");
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
