import {
  Bytes,
  type CelValue,
  Duration,
  isList,
  isMap,
  isOpaque,
  Optional,
  Timestamp,
  TypeValue,
  Uint,
} from "./cel-value.ts";

const primitives: Readonly<Record<string, string>> = {
  boolean: "bool",
  bigint: "int",
  number: "double",
  string: "string",
};

/** Returns the name of the type of a value. */
export function typeNameOf(value: CelValue): string {
  if (value === null) return "null_type";
  if (typeof value !== "object") return primitives[typeof value] ?? "dyn";
  if (isList(value)) return "list";
  if (isMap(value)) return value.typeName ?? "map";
  if (isOpaque(value)) return value.typeName;
  return classNameOf(value);
}

function classNameOf(value: object): string {
  if (value instanceof Uint) return "uint";
  if (value instanceof Bytes) return "bytes";
  if (value instanceof Timestamp) return "google.protobuf.Timestamp";
  if (value instanceof Duration) return "google.protobuf.Duration";
  if (value instanceof Optional) return "optional_type";
  return value instanceof TypeValue ? "type" : "error";
}
