import { isJsonObject, type Json, type JsonObject } from "../../api/json.ts";
import { parseJson } from "../../api/parse-json.ts";
import { type Member, shapeOf } from "../../api/schema/shape.ts";
import { schemaTable } from "../../api/schema/table.ts";
import { downscalePodPickerAnnotation } from "../../api/workload-settings.ts";
import { type Random, randomInt } from "../../machinery/random/random.ts";
import {
  anonymisedFields,
  isWellKnownName,
  isWellKnownValue,
  type Treatment,
  mapImage,
} from "./anonymised-fields.ts";
import { orderedReplacements, orderedUids } from "./ordered-codes.ts";
import { mapCollections, type Snapshot } from "./snapshot.ts";

/** Replaces texts of three sorts; the same text is always replaced by the same. */
interface Replacements {
  readonly name: (text: string) => string;
  readonly uid: (text: string) => string;
  /** Of IP addresses. */
  readonly address: (text: string) => string;
  /** Keys of node labels that are compared as numbers. */
  readonly numericKeys: ReadonlySet<string>;
}

/**
 * Replaces all names that users gave by random codes: objects, namespaces, nodes, zones, containers, label
 * values and images. The same text gets the same code and the order of names and UIDs is kept, so that every decision
 * is the same but for the names. Keys, kinds, numbers, times and the texts that Kubernetes defines stay.
 */
export function anonymise(snapshot: Snapshot, random: Random): Snapshot {
  const names = new Set<string>();
  const uids = new Set<string>();
  const addresses = new Set<string>();
  const numericKeys = keysComparedAsNumbers(snapshot);
  replaceTexts(snapshot, {
    numericKeys,
    name: (text) => (names.add(text), text),
    uid: (text) => (uids.add(text), text),
    address: (text) => (addresses.add(text), text),
  });
  const nameCodes = orderedReplacements(names, random.fork("names"));
  const uidCodes = orderedUids(uids, random.fork("uids"));
  const addressCodes = orderedReplacements(addresses, random.fork("addresses"), randomAddress);
  return replaceTexts(snapshot, {
    numericKeys,
    name: (text) => nameCodes.get(text) ?? "",
    uid: (text) => uidCodes.get(text) ?? "",
    address: (text) => addressCodes.get(text) ?? "",
  });
}

function replaceTexts(snapshot: Snapshot, replacements: Replacements): Snapshot {
  const { namespace, objects } = snapshot;
  return {
    ...snapshot,
    isAnonymised: true,
    namespace: namespace === undefined ? undefined : replacements.name(namespace),
    objects: mapCollections(objects, (object, type) => replaceIn(type, object, replacements)),
  };
}

/** All addresses of a node, and the one that only itself reaches. */
const wellKnownAddresses: ReadonlySet<string> = new Set(["", "0.0.0.0", "::", "127.0.0.1", "::1"]);

function randomAddress(random: Random): string {
  return `10.${[1, 2, 3].map(() => randomInt(random, 256)).join(".")}`;
}

/** Numbers that node affinities compare with Gt and Lt keep their size, so they stay. */
function keysComparedAsNumbers(snapshot: Snapshot): ReadonlySet<string> {
  const keys = new Set<string>();
  const visit = (value: unknown) => {
    if (typeof value !== "object" || value === null) return;
    const { key, operator } = value as { readonly key?: unknown; readonly operator?: unknown };
    if (typeof key === "string" && (operator === "Gt" || operator === "Lt")) keys.add(key);
    Object.values(value).forEach(visit);
  };
  visit(snapshot.objects);
  return keys;
}

function replaceIn(type: string, object: JsonObject, replacements: Replacements): JsonObject {
  const shape = shapeOf(type);
  const key = typeof object["key"] === "string" ? object["key"] : "";
  const replaced = Object.entries(object).map(([name, value]): [string, Json] => {
    const member = shape?.byName.get(name);
    if (member === undefined || value === undefined) return [name, value ?? null];
    if (schemaTable().types.has(member.type)) return [name, recurse(member, value, replacements)];
    const treatment = anonymisedFields[type]?.[name] ?? "kept";
    return [name, treated(treatment, value, { ...replacements, key })];
  });
  return Object.fromEntries(replaced);
}

function recurse({ type }: Member, value: Json, replacements: Replacements): Json {
  const replace = (item: Json) => (isJsonObject(item) ? replaceIn(type, item, replacements) : item);
  return Array.isArray(value) ? (value as readonly Json[]).map(replace) : replace(value);
}

/** A member of an object, with the key beside it if it has one. */
interface MemberContext extends Replacements {
  readonly key: string;
}

function treated(treatment: Treatment, value: Json, context: MemberContext): Json {
  if (Array.isArray(value))
    return (value as readonly Json[]).map((item) => treated(treatment, item, context));
  if (isJsonObject(value)) return treatedMap(treatment, value, context);
  return typeof value === "string" ? treatedText(treatment, value, context) : value;
}

function treatedText(treatment: Treatment, text: string, context: MemberContext): string {
  switch (treatment) {
    case "name":
      return isWellKnownName(text) ? text : context.name(text);
    case "uid":
      return context.uid(text);
    case "image":
      return mapImage(text, context.name);
    case "value":
      return labelValue(context.key, text, context);
    case "address":
      return wellKnownAddresses.has(text) ? text : context.address(text);
    case "condition":
      return /^[A-Za-z0-9]*$/.test(text) ? text : context.name(text);
    case "labels":
    case "names":
    case "annotations":
    case "kept":
      return text;
  }
}

function treatedMap(treatment: Treatment, map: JsonObject, context: MemberContext): JsonObject {
  const entries = Object.entries(map).map(([key, value]): [string, Json] => {
    const text = typeof value === "string" ? value : "";
    switch (treatment) {
      case "labels":
        return [key, labelValue(key, text, context)];
      case "names":
        return [context.name(key), value ?? null];
      case "annotations":
        return [key, key === downscalePodPickerAnnotation ? pickerText(text, context) : text];
      case "name":
      case "uid":
      case "image":
      case "value":
      case "address":
      case "condition":
      case "kept":
        return [key, value ?? null];
    }
  });
  return Object.fromEntries(entries);
}

function labelValue(key: string, value: string, { name, numericKeys }: Replacements): string {
  const isCompared = numericKeys.has(key) && /^-?\d+$/.test(value);
  return isWellKnownValue(key, value) || isCompared ? value : name(value);
}

function pickerText(text: string, replacements: Replacements): string {
  const parsed = parseJson(text);
  if (!parsed.ok || !isJsonObject(parsed.value)) return "{}";
  return JSON.stringify(replaceIn("apps.v1.DownscalePodPicker", parsed.value, replacements));
}
