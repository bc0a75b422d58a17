import type { Json, JsonObject } from "../../../api/json.ts";
import type { GroupVersionKind } from "./group-version-kinds.ts";
import { schemaReference } from "./schema-names.ts";

/** The request and response types of an operation, by their names in the schema table. */
export interface OperationFacts {
  /** Kubernetes' name for the operation. */
  readonly action: "list" | "post" | "deletecollection" | "get" | "put" | "patch" | "delete";
  readonly id: string;
  readonly kind: GroupVersionKind;
  readonly request?: string;
  readonly response: string;
  /** Whether it is about a custom kind, which has no strategic merge patches. */
  readonly isCustom?: boolean | undefined;
}

type ParameterType = "string" | "boolean" | "integer";

const writeParameters: readonly Json[] = [
  query("dryRun"),
  query("fieldManager"),
  // kubectl leaves field validation to the server if it finds this parameter.
  query("fieldValidation"),
];
const listParameters: readonly Json[] = [
  query("allowWatchBookmarks", "boolean"),
  query("continue"),
  query("fieldSelector"),
  query("labelSelector"),
  query("limit", "integer"),
  query("resourceVersion"),
  query("resourceVersionMatch"),
  query("sendInitialEvents", "boolean"),
  query("timeoutSeconds", "integer"),
  query("watch", "boolean"),
];
const deleteParameters: readonly Json[] = [
  query("dryRun"),
  query("gracePeriodSeconds", "integer"),
  query("orphanDependents", "boolean"),
  query("propagationPolicy"),
];

const parametersOf: Readonly<Record<OperationFacts["action"], readonly Json[]>> = {
  list: listParameters,
  get: [],
  post: writeParameters,
  put: writeParameters,
  patch: [...writeParameters, query("force", "boolean")],
  delete: deleteParameters,
  deletecollection: [...deleteParameters, ...listParameters],
};

const patchTypes = [
  "application/apply-patch+yaml",
  "application/json-patch+json",
  "application/merge-patch+json",
  "application/strategic-merge-patch+json",
];

/** Renders one operation of a path. */
export function renderOperation(facts: OperationFacts): JsonObject {
  const parameters = parametersOf[facts.action];
  const requestTypes =
    facts.action === "patch" ? patchTypesOf(facts) : ["application/json", "application/yaml"];
  const answer = { description: "OK", content: contentOf(["application/json"], facts.response) };
  return {
    operationId: facts.id,
    ...(parameters.length > 0 && { parameters }),
    ...(facts.request !== undefined && {
      requestBody: { content: contentOf(requestTypes, facts.request) },
    }),
    responses: { [facts.action === "post" ? "201" : "200"]: answer },
    "x-kubernetes-action": facts.action,
    "x-kubernetes-group-version-kind": facts.kind,
  };
}

function patchTypesOf({ isCustom }: OperationFacts): readonly string[] {
  return isCustom === true ? patchTypes.filter((type) => !type.includes("strategic")) : patchTypes;
}

/** Returns a parameter in the path. */
export function pathParameter(name: string): Json {
  return { name, in: "path", required: true, schema: { type: "string" } };
}

function query(name: string, type: ParameterType = "string"): Json {
  return { name, in: "query", schema: { type } };
}

function contentOf(mediaTypes: readonly string[], typeName: string): JsonObject {
  const schema = schemaReference(typeName);
  return Object.fromEntries(mediaTypes.map((mediaType) => [mediaType, { schema }]));
}
