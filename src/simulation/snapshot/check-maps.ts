import type { FieldError } from "../../api/field-error.ts";
import { isJsonObject, type Json } from "../../api/json.ts";
import { shapeOf } from "../../api/schema/shape.ts";

/** The values of maps of texts, such as labels, that are no texts; numbers and booleans in YAML need quotes. */
export function mapErrors(type: string, value: Json | undefined, path: string): readonly FieldError[] {
  if (!isJsonObject(value)) return [];
  return (shapeOf(type)?.members ?? []).flatMap((member) => {
    const at = `${path}.${member.name}`;
    const item = value[member.name];
    switch (member.form) {
      case "single":
        return mapErrors(member.type, item, at);
      case "list":
        return Array.isArray(item)
          ? (item as readonly Json[]).flatMap((each, index) =>
              mapErrors(member.type, each, `${at}[${index}]`),
            )
          : [];
      case "map":
        return member.type === "string" && isJsonObject(item) ? textErrors(item, at) : [];
    }
  });
}

function textErrors(map: Readonly<Record<string, Json | undefined>>, path: string): readonly FieldError[] {
  return Object.entries(map).flatMap(([key, value]) =>
    typeof value === "string"
      ? []
      : [{ type: "FieldValueTypeInvalid", field: `${path}.${key}`, value, detail: "must be a text" }],
  );
}
