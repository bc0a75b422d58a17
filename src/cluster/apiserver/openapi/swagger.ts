import { isJsonObject, type Json, type JsonObject } from "../../../api/json.ts";

// Swagger 2.0, for kubectl before 1.24 and generators of that age. It is converted from the documents of version 3, which
// describe the same API group by group.

/** Converts the operations of a path. */
export function convertPath(path: Json | undefined): JsonObject {
  return mapValues(path, (value, key) =>
    key === "parameters" ? convertParameters(value) : convertOperation(value),
  );
}

/** Converts an operation: in version 2 the body is a parameter, and media types belong to the operation. */
function convertOperation(operation: Json | undefined): JsonObject {
  const { requestBody, parameters, responses, ...rest } = objectOf(operation);
  const content = objectOf(objectOf(requestBody)["content"]);
  const action = rest["x-kubernetes-action"];
  const isOptional = action === "delete" || action === "deletecollection";
  const body = {
    name: "body",
    in: "body",
    ...(!isOptional && { required: true }),
    schema: bodySchema(content),
  };
  const all = [...convertParameters(parameters), ...(requestBody === undefined ? [] : [body])];
  return {
    ...rest,
    ...(requestBody !== undefined && { consumes: Object.keys(content) }),
    produces: ["application/json", "application/yaml"],
    ...(all.length > 0 && { parameters: all }),
    responses: mapValues(responses, (response) => {
      const { description = "", content: answer } = objectOf(response);
      return { description, schema: bodySchema(objectOf(answer)) };
    }),
  };
}

/** Returns the schema of a body, which is the same in every media type. */
function bodySchema(content: JsonObject): JsonObject {
  return convertSchema(objectOf(Object.values(content)[0])["schema"]);
}

function convertParameters(parameters: Json | undefined): readonly Json[] {
  if (!Array.isArray(parameters)) return [];
  return (parameters as readonly Json[]).map((parameter) => {
    const { schema, ...rest } = objectOf(parameter);
    return { ...rest, ...objectOf(schema), uniqueItems: true };
  });
}

/**
 * Converts a schema, without defaults, as upstream, and with one type where version 3 has a choice. What version 2 cannot
 * say is left out: conditions on values, and the form of values that may be null or have unknown fields.
 */
export function convertSchema(schema: Json | undefined): JsonObject {
  const {
    allOf,
    oneOf,
    anyOf: _anyOf,
    not: _not,
    nullable,
    $ref,
    default: _,
    ...described
  } = objectOf(schema);
  const reference =
    $ref ?? (Array.isArray(allOf) ? objectOf((allOf as readonly Json[])[0])["$ref"] : undefined);
  return {
    ...convertForm(described, nullable === true),
    ...(oneOf !== undefined && described["type"] === undefined && { type: "string" }),
    ...(typeof reference === "string" && {
      $ref: reference.replace("#/components/schemas/", "#/definitions/"),
    }),
  };
}

/** Converts the type of a schema and the schemas inside it, as far as they hold for every value. */
function convertForm(
  { type, properties, items, additionalProperties, ...rest }: JsonObject,
  isNullable: boolean,
): JsonObject {
  if (isNullable) return rest;
  const isOpen = rest["x-kubernetes-preserve-unknown-fields"] === true;
  return {
    ...rest,
    ...(type !== undefined && !(isOpen && type === "object") && { type }),
    ...(items !== undefined && { items: convertSchema(items) }),
    ...(isJsonObject(additionalProperties) && { additionalProperties: convertSchema(additionalProperties) }),
    ...(properties !== undefined && !isOpen && { properties: mapValues(properties, convertSchema) }),
  };
}

function mapValues(
  value: Json | undefined,
  convert: (member: Json | undefined, key: string) => Json,
): JsonObject {
  return Object.fromEntries(Object.entries(objectOf(value)).map(([key, each]) => [key, convert(each, key)]));
}

export function objectOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
