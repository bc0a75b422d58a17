/** A type of CEL. */
export type CelType =
  | { readonly kind: SimpleKind }
  | { readonly kind: "list"; readonly element: CelType }
  | { readonly kind: "map"; readonly key: CelType; readonly value: CelType }
  | { readonly kind: "optional"; readonly value: CelType }
  | { readonly kind: "type"; readonly of?: CelType | undefined }
  /** An object with declared fields; equal if the names are. */
  | { readonly kind: "object"; readonly name: string; readonly fields: ReadonlyMap<string, CelType> }
  /** A type of a library. */
  | { readonly kind: "opaque"; readonly name: string }
  /** A type that a use of an overload determines. */
  | { readonly kind: "parameter"; readonly name: string };

export type SimpleKind =
  | "dyn"
  | "null"
  | "bool"
  | "int"
  | "uint"
  | "double"
  | "string"
  | "bytes"
  | "timestamp"
  | "duration"
  /** The type of what has a problem already. */
  | "error";

const simple = <Kind extends SimpleKind>(kind: Kind) => ({ kind }) as const;

export const dyn = simple("dyn");
export const bool = simple("bool");
export const int = simple("int");
export const uint = simple("uint");
export const double = simple("double");
export const string = simple("string");
export const bytes = simple("bytes");
export const nullType = simple("null");
export const timestamp = simple("timestamp");
export const duration = simple("duration");
export const errorType = simple("error");

export const list = (element: CelType): CelType => ({ kind: "list", element });
export const map = (key: CelType, value: CelType): CelType => ({ kind: "map", key, value });
export const optional = (value: CelType): CelType => ({ kind: "optional", value });
export const opaque = (name: string): CelType => ({ kind: "opaque", name });
export const parameter = (name: string): CelType => ({ kind: "parameter", name });

const longNames: Partial<Record<CelType["kind"], string>> = { optional: "optional_type", error: "!error!" };

/** Returns a type as problems show it. */
export function formatType(type: CelType): string {
  if ("name" in type) return type.name;
  const parts = type.kind === "type" ? [type.of].filter((of) => of !== undefined) : partsOf(type);
  const name = longNames[type.kind] ?? type.kind;
  return parts.length === 0 ? name : `${name}(${parts.map(formatType).join(", ")})`;
}

/** Returns the types that a type is made of. */
export function partsOf(type: CelType): readonly CelType[] {
  if (type.kind === "list") return [type.element];
  if (type.kind === "map") return [type.key, type.value];
  return type.kind === "optional" ? [type.value] : [];
}

/** Returns a type with its parts replaced. */
export function mapParts(type: CelType, replace: (part: CelType) => CelType): CelType {
  if (type.kind === "list") return list(replace(type.element));
  if (type.kind === "map") return map(replace(type.key), replace(type.value));
  return type.kind === "optional" ? optional(replace(type.value)) : type;
}
