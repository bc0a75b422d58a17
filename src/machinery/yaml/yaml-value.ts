import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node as YamlNode,
  type Pair,
} from "yaml";
import { isJsonObject, type Json } from "../../api/json.ts";
import { deepestNesting } from "../../api/parse-json.ts";
import type { YamlLimits } from "./yaml-limits.ts";

/** Something that is wrong with a YAML text, and where. */
export interface YamlProblem {
  readonly message: string;
  /** In characters from the start of the text; absent: the whole text. */
  readonly offset?: number;
}

/** The JSON value that a YAML document stands for. */
export type YamlValue =
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: false; readonly problem: YamlProblem };

/**
 * Converts a document to JSON, in time proportional to the text: the value has at most `mostTimesAsLong` times its length,
 * however aliases are nested. Not by `toJS` of the library, which visits the document once per alias to count them and
 * follows an alias into the value that contains it.
 */
export function yamlValue({ contents, range }: Document, limits: YamlLimits): YamlValue {
  const [start, , end] = range ?? [0, 0, 0];
  const conversion: Conversion = {
    longest: Math.min(limits.length ?? Infinity, mostTimesAsLong * Math.max(end - start, 1)),
    mostValues: limits.values ?? Infinity,
    anchors: new Map(),
    length: 0,
    values: 0,
    problem: undefined,
  };
  const { value } = convert(conversion, contents, 1);
  const { problem } = conversion;
  return problem === undefined ? { ok: true, value } : { ok: false, problem };
}

/** Manifests repeat less than this, and a small text stays cheap. */
const mostTimesAsLong = 100;

interface Conversion {
  readonly longest: number;
  readonly mostValues: number;
  readonly anchors: Map<string, Anchored>;
  /** What has been converted, as characters of JSON without punctuation; what replaces an alias counts in full. */
  length: number;
  values: number;
  /** The first one; what follows it is not converted. */
  problem: YamlProblem | undefined;
}

interface Converted {
  readonly value: Json;
  /** The levels below it. */
  readonly height: number;
}

/** What an anchor names, once all of it has been converted. */
interface Anchored {
  whole?: Converted & { readonly length: number; readonly values: number };
}

const nothing: Converted = { value: null, height: 0 };

function convert(conversion: Conversion, node: unknown, level: number): Converted {
  if (conversion.problem !== undefined || node === null || node === undefined) return nothing;
  if (isAlias(node)) return replaceAlias(conversion, node, level);
  if (level > deepestNesting) return refuse(conversion, node, tooDeep);
  const anchor = isScalar(node) || isMap(node) || isSeq(node) ? node.anchor : undefined;
  if (anchor === undefined) return convertContent(conversion, node, level);
  const { length, values } = conversion;
  const anchored: Anchored = {};
  // Registered before the content, as YAML orders anchors: one of the same name within the content comes later.
  conversion.anchors.set(anchor, anchored);
  const converted = convertContent(conversion, node, level);
  anchored.whole = {
    ...converted,
    length: conversion.length - length,
    values: conversion.values - values,
  };
  return converted;
}

function convertContent(conversion: Conversion, node: unknown, level: number): Converted {
  const content = isScalar(node) ? node.value : undefined;
  spend(conversion, node, { length: typeof content === "string" ? content.length : 1, values: 1 });
  if (isSeq(node)) return convertList(conversion, node.items, level);
  if (isMap(node)) return convertObject(conversion, node.items, level);
  const value = scalarOf(content);
  if (value !== undefined) return { value, height: 0 };
  const shown = typeof content === "number" ? content : typeof content;
  return refuse(conversion, node, `unsupported value: ${shown}`);
}

/** A scalar that JSON has. */
function scalarOf(content: unknown): Json | undefined {
  if (typeof content === "string" || typeof content === "boolean" || content === null) return content;
  // Adding 0 turns -0 into 0; JSON has no negative zero.
  return typeof content === "number" && Number.isFinite(content) ? content + 0 : undefined;
}

function convertList(conversion: Conversion, items: readonly unknown[], level: number): Converted {
  const list: Json[] = [];
  let height = 0;
  for (const item of items) {
    const converted = convert(conversion, item, level + 1);
    if (conversion.problem !== undefined) return nothing;
    list.push(converted.value);
    height = Math.max(height, converted.height + 1);
  }
  return { value: list, height };
}

function convertObject(conversion: Conversion, pairs: readonly Pair[], level: number): Converted {
  const members = new Map<string, Json>();
  const merged = new Map<string, Json>();
  let height = 0;
  for (const { key, value } of pairs) {
    // In YAML 1.1 the key `<<` is a symbol.
    const isMerge = isScalar(key) && typeof key.value === "symbol";
    const name = isMerge ? "" : convertKey(conversion, key, level);
    const converted = convert(conversion, value, level + 1);
    if (isMerge) mergeInto(conversion, merged, { source: converted.value, node: value });
    else members.set(name, converted.value);
    if (conversion.problem !== undefined) return nothing;
    height = Math.max(height, converted.height + 1);
  }
  // `fromEntries` defines members, so that `__proto__` becomes one.
  return { value: Object.fromEntries(merged.size === 0 ? members : [...merged, ...members]), height };
}

function convertKey(conversion: Conversion, node: unknown, level: number): string {
  const { value } = convert(conversion, node, level + 1);
  if (value !== null && typeof value !== "object") return String(value);
  refuse(conversion, node, "unsupported map key: it is no text, number or boolean");
  return "";
}

/** Adds the members of the object, or of the objects, that `<<` names; of two with one name the first counts. */
function mergeInto(
  conversion: Conversion,
  merged: Map<string, Json>,
  { source, node }: { readonly source: Json; readonly node: unknown },
): void {
  for (const object of Array.isArray(source) ? (source as readonly Json[]) : [source]) {
    if (!isJsonObject(object)) {
      refuse(conversion, node, "map merge requires map or sequence of maps as the value");
      return;
    }
    for (const [name, member = null] of Object.entries(object))
      if (!merged.has(name)) merged.set(name, member);
  }
}

/** Returns a copy of the value that an alias names, so that no object is at two places. */
function replaceAlias(conversion: Conversion, alias: Alias, level: number): Converted {
  const anchored = conversion.anchors.get(alias.source);
  if (anchored === undefined) return refuse(conversion, alias, `unknown anchor '${alias.source}' referenced`);
  const { whole } = anchored;
  if (whole === undefined) return refuse(conversion, alias, `anchor '${alias.source}' value contains itself`);
  if (level + whole.height > deepestNesting) return refuse(conversion, alias, tooDeep);
  spend(conversion, alias, whole);
  return conversion.problem === undefined ? { value: copyOf(whole.value), height: whole.height } : nothing;
}

function copyOf(value: Json): Json {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return (value as readonly Json[]).map(copyOf);
  const members = Object.entries(value).map(([name, member = null]) => [name, copyOf(member)]);
  return Object.fromEntries(members) as Json;
}

const tooDeep = `exceeded max depth of ${deepestNesting}`;

function spend(
  conversion: Conversion,
  node: unknown,
  { length, values }: { readonly length: number; readonly values: number },
): void {
  conversion.length += length;
  conversion.values += values;
  const { longest, mostValues } = conversion;
  if (conversion.length > longest)
    refuse(conversion, node, `more than ${longest} bytes when its YAML aliases are replaced`);
  if (conversion.values > mostValues) refuse(conversion, node, `more than ${mostValues} values`);
}

function refuse(conversion: Conversion, node: unknown, message: string): Converted {
  const offset = (node as YamlNode | null)?.range?.[0];
  conversion.problem ??= { message, ...(offset !== undefined && { offset }) };
  return nothing;
}
