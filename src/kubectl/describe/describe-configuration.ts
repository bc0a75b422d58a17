import { compareText } from "../../api/compare-text.ts";
import type { Json, JsonObject } from "../../api/json.ts";
import { trimRight } from "../../api/trim-right.ts";
import { accountTokenType } from "../../api/well-known.ts";
import { at, listAt, mapAt, textAt } from "../selection/kube-object.ts";
import { byKey, headLines, type Lines, metadataLines } from "./describe-lines.ts";

export function configMapLines(map: JsonObject): Lines {
  return [
    ...headLines(map),
    "",
    "Data",
    "====",
    ...Object.entries(mapAt(map, "data"))
      .toSorted(byKey)
      .flatMap(([key, value]) => [`${key}:`, "----", ...value.split("\n"), ""]),
    "",
    "BinaryData",
    "====",
    ...Object.entries(mapAt(map, "binaryData"))
      .toSorted(byKey)
      .map(([key, value]) => `${key}: ${byteLength(value)} bytes`),
    "",
  ];
}

/** How many bytes a text in base64 has. */
function byteLength(base64: string): number {
  return Math.floor((trimRight(base64, "=").length * 3) / 4);
}

export function secretLines(secret: JsonObject): Lines {
  const type = textAt(secret, "type");
  const token = (key: string) => key === "token" && type === accountTokenType;
  return [
    ...headLines(secret),
    "",
    `Type:\t${type}`,
    "",
    "Data",
    "====",
    ...Object.entries(mapAt(secret, "data"))
      .toSorted(byKey)
      .map(([key, value]) => `${key}:\t${token(key) ? atob(value) : `${byteLength(value)} bytes`}`),
  ];
}

export function serviceAccountLines(account: JsonObject): Lines {
  const names = (field: string) => listAt(account, field).map((each) => textAt(each, "name"));
  const lists = {
    "Image pull secrets": names("imagePullSecrets"),
    "Mountable secrets": names("secrets"),
    Tokens: [],
  };
  const widest = " ".repeat("Image pull secrets:".length);
  return [
    ...headLines(account),
    ...Object.entries(lists).flatMap(([title, all]) => {
      const padded = `${title}:`.padEnd(widest.length);
      if (all.length === 0) return [`${padded}\t<none>`];
      return all.map((name, index) => `${index === 0 ? padded : widest}\t${name}`);
    }),
  ];
}

/** Each rule for one group, resource and verb; rules of one resource are put together again. */
export function roleLines(role: JsonObject): Lines {
  const compact = new Map<string, { cells: readonly string[]; verbs: string[] }>();
  for (const rule of listAt(role, "rules"))
    for (const cells of brokenDown(rule)) {
      const key = cells.join("\n");
      const known = compact.get(key) ?? { cells, verbs: [] };
      compact.set(key, known);
      known.verbs.push(...texts(rule["verbs"]).filter((verb) => !known.verbs.includes(verb)));
    }
  const order = ({
    cells,
    verbs,
  }: {
    readonly cells: readonly string[];
    readonly verbs: readonly string[];
  }) => `[${verbs.join(" ")}],${cells.join("],")}`;
  const rows = [...compact.values()]
    .toSorted((one, other) => compareText(order(one), order(other)))
    .map(({ cells, verbs }) => `  ${[...cells, `[${verbs.join(" ")}]`].join("\t")}`);
  return [
    `Name:\t${textAt(role, "metadata", "name")}`,
    ...metadataLines(role),
    "PolicyRule:",
    "  Resources\tNon-Resource URLs\tResource Names\tVerbs",
    "  ---------\t-----------------\t--------------\t-----",
    ...rows,
  ];
}

const texts = (value: Json | undefined) => (value ?? []) as readonly string[];
const orNone = (values: readonly string[]) => (values.length === 0 ? [""] : values);

/** The cells of a rule for each of its resources and addresses. */
function brokenDown(rule: JsonObject): readonly (readonly string[])[] {
  const urls = texts(rule["nonResourceURLs"]).map((url) => ["", `[${url}]`, "[]"]);
  const resources = texts(rule["resources"]).flatMap((resource) =>
    texts(rule["apiGroups"]).flatMap((group) =>
      orNone(texts(rule["resourceNames"])).map((name) => [inGroup(resource, group), "[]", `[${name}]`]),
    ),
  );
  return [...resources, ...urls];
}

function inGroup(resource: string, group: string): string {
  const [plural = "", ...sub] = resource.split("/");
  const full = group === "" ? plural : `${plural}.${group}`;
  return sub.length === 0 ? full : `${full}/${sub.join("/")}`;
}

export function roleBindingLines(binding: JsonObject): Lines {
  const role = at(binding, "roleRef");
  return [
    `Name:\t${textAt(binding, "metadata", "name")}`,
    ...metadataLines(binding),
    "Role:",
    `  Kind:\t${textAt(role, "kind")}`,
    `  Name:\t${textAt(role, "name")}`,
    "Subjects:",
    "  Kind\tName\tNamespace",
    "  ----\t----\t---------",
    ...listAt(binding, "subjects").map(
      (each) => `  ${["kind", "name", "namespace"].map((name) => textAt(each, name)).join("\t")}`,
    ),
  ];
}

const acronyms = new Set(["API", "URL", "UID", "GUID"]);

/** Describes an object of any kind: every field of it, with titles made of their names. */
export function genericLines(object: JsonObject): Lines {
  return [...headLines(object), ...contentLines(object, 0, "")];
}

const leftOut = new Set(
  ["managedFields", "name", "namespace", "labels", "annotations"].map((name) => `.metadata.${name}`),
);

function contentLines(content: JsonObject, level: number, path: string): Lines {
  const indent = "  ".repeat(level);
  return Object.entries(content)
    .toSorted(byKey)
    .flatMap(([field, value]) => {
      const own = `${path}.${field}`;
      if (leftOut.has(own)) return [];
      if (typeof value !== "object") return [`${indent}${titleOf(field)}:\t${String(value)}`];
      if (value === null) return [`${indent}${titleOf(field)}:\t<nil>`];
      return [`${indent}${titleOf(field)}:`, ...memberLines(value, level + 1, own)];
    });
}

function memberLines(value: NonNullable<Json>, level: number, path: string): Lines {
  const items = Array.isArray(value) ? (value as readonly Json[]) : [value as Json];
  return items.flatMap((item) =>
    typeof item === "object" && item !== null
      ? contentLines(item as JsonObject, level, path)
      : [`${"  ".repeat(level)}${item === null ? "<nil>" : String(item)}`],
  );
}

function titleOf(field: string): string {
  if (/[^\p{L}-]/u.test(field)) return field;
  // A word begins with a capital before a small letter, and with any capital behind one.
  const spaced = field.replaceAll(/\p{Lu}\p{Ll}/gu, " $&").replaceAll(/\p{Ll}(?=\p{Lu})/gu, "$& ");
  const parts = spaced.match(/-|[^ -]+/g) ?? [field];
  return parts.map(titlePart).join(" ");
}

function titlePart(part: string): string {
  if (acronyms.has(part.toUpperCase())) return part.toUpperCase();
  return part === part.toLowerCase() ? part.charAt(0).toUpperCase() + part.slice(1) : part;
}

/** In the order of names. */
export function byName(objects: readonly JsonObject[]): readonly JsonObject[] {
  return objects.toSorted((one, other) =>
    compareText(textAt(one, "metadata", "name"), textAt(other, "metadata", "name")),
  );
}
