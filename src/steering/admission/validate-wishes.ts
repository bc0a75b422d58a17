import { type FieldError, formatFieldError } from "../../api/field-error.ts";
import type { JsonObject } from "../../api/json.ts";
import { validateWishes } from "../../decisions/stock/validate-wish.ts";
import { type AdmissionAnswer, type AdmissionRequest, admitted, objectOf, textOf } from "./review.ts";

/** Refuses wishes that make no sense where they are written: on Deployments and ReplicaSets, in their templates, on namespaces. */
export function validatingAdmission(request: AdmissionRequest): Promise<AdmissionAnswer> {
  const { object, oldObject, resource } = request;
  const errors =
    resource === "namespaces"
      ? validateWishes(
          mapIn(object, "metadata", "labels"),
          "metadata.labels",
          mapIn(oldObject, "metadata", "labels"),
        )
      : workloadErrors(object, oldObject);
  return Promise.resolve(errors.length === 0 ? admitted : refusal(object, errors));
}

const places = [
  ["metadata", "annotations"],
  ["spec", "template", "metadata", "annotations"],
] as const;

function workloadErrors(object?: JsonObject, oldObject?: JsonObject): readonly FieldError[] {
  return places.flatMap((path) =>
    validateWishes(mapIn(object, ...path), path.join("."), mapIn(oldObject, ...path)),
  );
}

function mapIn(object: JsonObject | undefined, ...path: readonly string[]): JsonObject | undefined {
  return path.reduce((parent, member) => objectOf(parent?.[member]), object);
}

/** As the API server refuses a field. */
function refusal(object: JsonObject | undefined, errors: readonly FieldError[]): AdmissionAnswer {
  const kind = textOf(object?.["kind"]);
  const name = textOf(mapIn(object, "metadata")?.["name"]);
  const list = errors.map(formatFieldError);
  const what = list.length === 1 ? list[0] : `[${list.join(", ")}]`;
  const causes = errors.map(({ type, field, detail }) => ({ reason: type, field, message: detail }));
  return {
    allowed: false,
    status: {
      status: "Failure",
      code: 422,
      reason: "Invalid",
      message: `${kind} ${JSON.stringify(name)} is invalid: ${what}`,
      details: { kind, name, causes },
    },
  };
}
