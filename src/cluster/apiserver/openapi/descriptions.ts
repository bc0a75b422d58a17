import { pickerDescriptions } from "../kinds/downscale-pod-picker/descriptions.ts";
import { builtInKinds } from "../kinds/kinds.ts";
import { requestDescriptions } from "../kinds/request-descriptions.ts";
import { groupVersionKindsOf } from "./group-version-kinds.ts";
import { metadataDescriptions } from "./metadata-descriptions.ts";

const descriptions = [
  ...[...builtInKinds.values()].map(({ presentation }) => presentation.descriptions),
  pickerDescriptions,
  metadataDescriptions,
  requestDescriptions,
].flatMap((byType) => Object.entries(byType));

const types: ReadonlyMap<string, string> = new Map(
  descriptions.flatMap(([type, { about }]) => (about === undefined ? [] : [[type, about] as const])),
);

/** The texts of fields, by `type.field`. */
const fields: ReadonlyMap<string, string> = new Map(
  descriptions.flatMap(([type, { fields: texts = {} }]) =>
    Object.entries(texts).map(([field, text]) => [`${type}.${field}`, text] as const),
  ),
);

/** The texts of the fields that every body has. */
const bodyFields: ReadonlyMap<string, string> = new Map([
  ["apiVersion", "The group and version of the kind, such as `apps/v1`."],
  ["kind", "The kind of the object, such as `Deployment`."],
  ["metadata", "Name, labels and other metadata that objects of all kinds have."],
  ["spec", "The desired state."],
  ["status", "The observed state; written by controllers."],
  ["items", "The objects of the list."],
]);

/** Returns the names of everything that has a description: types, and fields as `type.field`. */
export function describedNames(): readonly string[] {
  return [...types.keys(), ...fields.keys()];
}

/** Returns the description of a type, if it has one. */
export function describeType(typeName: string): string | undefined {
  return types.get(typeName) ?? (typeName.endsWith("List") ? describeList(typeName) : undefined);
}

/** Returns the description of a field, if it has one. */
export function describeField(typeName: string, field: string): string | undefined {
  return fields.get(`${typeName}.${field}`) ?? (isBody(typeName) ? bodyFields.get(field) : undefined);
}

function describeList(typeName: string): string | undefined {
  const element = typeName.slice(0, -"List".length);
  return types.has(element) ? `A list of ${element.slice(element.lastIndexOf(".") + 1)} objects.` : undefined;
}

// Reports whether a type is a body. In other types, a field called `kind` or `status` has another meaning.
function isBody(typeName: string): boolean {
  return groupVersionKindsOf(typeName).length > 0;
}
