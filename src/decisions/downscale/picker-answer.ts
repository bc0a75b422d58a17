import { jsonLimitProblem } from "../../api/parse-json.ts";
import type { Picks } from "./facts.ts";

/** The names in an answer that were not used as they are. */
export interface IgnoredNames {
  /** Not among the candidates: dropped. */
  readonly unknown: number;
  /** Named before in the same list: counted once. */
  readonly duplicate: number;
  /** In both lists: chosen. */
  readonly inBothLists: number;
}

/** What an answer of either kind says. */
interface Answered {
  readonly ignored: IgnoredNames;
  /** The names of the candidates that may not be removed now; absent: none. */
  readonly protects?: ReadonlySet<string>;
}

/** How a picker's answer is used. Only `Ranked` affects the choice; the others leave the normal order alone. */
export type PickerAnswer =
  | {
      readonly kind: "Malformed";
      readonly reason: string;
      /** Whether reading such an answer again costs too much for another attempt. */
      readonly isFinal?: true;
    }
  | ({ readonly kind: "Empty" } & Answered)
  | ({ readonly kind: "Ranked" } & Answered & Picks);

/** Interprets a decoded answer for the candidates it was asked about, by name; nothing in it is trusted. */
export function interpretPickerAnswer(body: unknown, candidates: Iterable<string>): PickerAnswer {
  const lists = readLists(body);
  if (lists.kind === "Malformed") return lists;
  const known = new Set(candidates);
  const chosen = new Set(lists.chosen.filter((name) => known.has(name)));
  const tiedOrBoth = new Set(lists.tied.filter((name) => known.has(name)));
  const tied = new Set([...tiedOrBoth].filter((name) => !chosen.has(name)));

  const protects = new Set(lists.protects.filter((name) => known.has(name)));
  const named = [...lists.chosen, ...lists.tied, ...lists.protects];
  const unknown = named.filter((name) => !known.has(name)).length;
  const duplicate = named.length - unknown - chosen.size - tiedOrBoth.size - protects.size;
  const ignored = { unknown, duplicate, inBothLists: tiedOrBoth.size - tied.size };
  const answered = { ignored, ...(protects.size === 0 ? {} : { protects }) };
  if (chosen.size + tied.size === 0) return { kind: "Empty", ...answered };
  return { kind: "Ranked", chosen, tied, ...answered };
}

/** A malformed answer of more bytes is not asked for again. */
const mostBytesReadAgain = 64 * 1024;

/** Decodes the bytes of an answer and interprets them; whatever they are, the result is a value. */
export function parsePickerAnswer(bytes: Uint8Array, candidates: Iterable<string>): PickerAnswer {
  const text = decodeUtf8(bytes);
  const answer = text === undefined ? malformed("not valid UTF-8") : interpretText(text, candidates);
  const isFinal = answer.kind === "Malformed" && bytes.length > mostBytesReadAgain;
  return isFinal ? { ...answer, isFinal } : answer;
}

function interpretText(text: string, candidates: Iterable<string>): PickerAnswer {
  // First, because JSON.parse takes long for a megabyte of brackets.
  const problem = jsonLimitProblem(text);
  if (problem !== undefined) return { ...malformed(problem), isFinal: true };
  const parsed = parseJson(text);
  return parsed === undefined ? malformed("not JSON") : interpretPickerAnswer(parsed.body, candidates);
}

type Malformed = Extract<PickerAnswer, { kind: "Malformed" }>;

interface Lists {
  readonly kind: "Lists";
  readonly chosen: readonly string[];
  readonly tied: readonly string[];
  readonly protects: readonly string[];
}

function readLists(body: unknown): Lists | Malformed {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return malformed("not an object");
  const members = new Map<string, unknown>(Object.entries(body));
  // An object with none of the lists is not an answer; lists that are null are an answer that names no Pods.
  if (listNames.every((name) => !members.has(name))) return malformed("neither chosen_pods nor tied_pods");
  const [chosen, tied, protects] = listNames.map((name) => members.get(name) ?? []);
  if (!isNameList(chosen)) return malformed("chosen_pods is not a list of names");
  if (!isNameList(tied)) return malformed("tied_pods is not a list of names");
  if (!isNameList(protects)) return malformed("protected_pods is not a list of names");
  return { kind: "Lists", chosen, tied, protects };
}

const listNames = ["chosen_pods", "tied_pods", "protected_pods"] as const;

function malformed(reason: string): Malformed {
  return { kind: "Malformed", reason };
}

function isNameList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((element) => typeof element === "string");
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined; // bytes that are not UTF-8
  }
}

function parseJson(text: string): { readonly body: unknown } | undefined {
  try {
    return { body: JSON.parse(text) };
  } catch {
    return undefined; // text that is not JSON
  }
}
