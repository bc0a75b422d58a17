import { autoscalingDescriptions } from "./descriptions/autoscaling.ts";
import { containerDescriptions } from "./descriptions/containers.ts";
import { kindDescriptions } from "./descriptions/kinds.ts";
import { metadataDescriptions } from "./descriptions/metadata.ts";
import { nodeDescriptions } from "./descriptions/nodes.ts";
import { pickerDescriptions } from "./descriptions/pod-picker.ts";
import { podDescriptions } from "./descriptions/pods.ts";
import { serviceDescriptions } from "./descriptions/services.ts";
import { workloadDescriptions } from "./descriptions/workloads.ts";
import { groupVersionKindsOf } from "./group-version-kinds.ts";

/** What types are for, in our own words; kinds nobody asks about have none. */
const types: ReadonlyMap<string, string> = new Map(Object.entries(kindDescriptions));

/** What fields are for, by `type.field`. */
const fields: ReadonlyMap<string, string> = new Map(
  [
    pickerDescriptions,
    workloadDescriptions,
    podDescriptions,
    containerDescriptions,
    metadataDescriptions,
    nodeDescriptions,
    serviceDescriptions,
    autoscalingDescriptions,
  ].flatMap((byType) =>
    Object.entries(byType).flatMap(([type, members]) =>
      Object.entries(members).map(([field, text]) => [`${type}.${field}`, text] as const),
    ),
  ),
);

/** What these fields mean wherever they are. */
const everywhere: ReadonlyMap<string, string> = new Map([
  ["apiVersion", "The group and version of the kind, such as `apps/v1`."],
  ["kind", "What the object is, such as `Deployment`."],
  ["metadata", "Name, labels and everything else that objects of all kinds have."],
  ["spec", "What is wanted."],
  ["status", "What is observed; written by the system."],
  ["items", "The objects of the list."],
]);

/** Everything we have a sentence about: types, and fields as `type.field`. */
export function describedNames(): readonly string[] {
  return [...types.keys(), ...fields.keys()];
}

/** A sentence about a type, if we have one. */
export function describeType(typeName: string): string | undefined {
  return types.get(typeName) ?? (typeName.endsWith("List") ? describeList(typeName) : undefined);
}

/** A sentence about a field, if we have one. */
export function describeField(typeName: string, field: string): string | undefined {
  return fields.get(`${typeName}.${field}`) ?? (isBody(typeName) ? everywhere.get(field) : undefined);
}

function describeList(typeName: string): string | undefined {
  const element = typeName.slice(0, -"List".length);
  return types.has(element) ? `A list of ${element.slice(element.lastIndexOf(".") + 1)} objects.` : undefined;
}

// A field called `kind` or `status` means something else inside other types.
function isBody(typeName: string): boolean {
  return groupVersionKindsOf(typeName).length > 0;
}
