import {
  hasMore,
  readBytes,
  readInt32,
  readTag,
  skipField,
  wireReader,
  wireType,
} from "../../api/schema/protobuf/wire-reader.ts";
import { interpretPickerAnswer, type PickerAnswer } from "../../decisions/downscale/picker-answer.ts";
import type { PickPodsRequest } from "./transport.ts";

/** The one method of `contract/picker.proto`. */
export const pickPodsPath = "/trimtab.picker.v1.DownscalePodPicker/PickPods";

/** Encodes a `PickPodsRequest`. */
export function encodePickPodsRequest({ requested, candidates }: PickPodsRequest): Buffer {
  const count = Buffer.from([tagOf(1, wireType.varint), ...varint(requested)]);
  return Buffer.concat([count, ...encodeNames(2, candidates)]);
}

/** Encodes a `PickPodsResponse`. */
export function encodePickPodsResponse(answer: {
  readonly chosen: readonly string[];
  readonly tied: readonly string[];
  readonly protects?: readonly string[];
}): Buffer {
  const { chosen, tied, protects = [] } = answer;
  return Buffer.concat([...encodeNames(1, chosen), ...encodeNames(2, tied), ...encodeNames(3, protects)]);
}

function encodeNames(field: number, names: readonly string[]): readonly Buffer[] {
  return names.flatMap((name) => {
    const bytes = Buffer.from(name, "utf8");
    return [Buffer.from([tagOf(field, wireType.bytes), ...varint(bytes.length)]), bytes];
  });
}

/** Decodes a `PickPodsRequest`; `undefined` if the bytes are not one. */
export function parsePickPodsRequest(bytes: Uint8Array): PickPodsRequest | undefined {
  const reader = wireReader(bytes);
  const candidates: string[] = [];
  let requested = 0;
  while (hasMore(reader)) {
    const { field, type } = readTag(reader);
    if (field === 1 && type === wireType.varint) requested = readInt32(reader);
    else if (field === 2 && type === wireType.bytes) {
      const name = decodeUtf8(readBytes(reader));
      if (name === undefined) return undefined;
      candidates.push(name);
    } else skipField(reader, type);
  }
  return reader.error === undefined ? { requested, candidates } : undefined;
}

/** Decodes a `PickPodsResponse`. Never throws: invalid bytes are a malformed answer. */
export function parsePickPodsResponse(bytes: Uint8Array, candidates: Iterable<string>): PickerAnswer {
  const reader = wireReader(bytes);
  // By field number; in protobuf an absent field is an empty list.
  const lists = new Map<number, string[]>([
    [1, []],
    [2, []],
    [3, []],
  ]);
  while (hasMore(reader)) {
    const { field, type } = readTag(reader);
    const names = type === wireType.bytes ? lists.get(field) : undefined;
    if (names === undefined) {
      skipField(reader, type);
      continue;
    }
    const name = decodeUtf8(readBytes(reader));
    if (name === undefined) return { kind: "Malformed", reason: "not valid UTF-8" };
    names.push(name);
  }
  if (reader.error !== undefined) return { kind: "Malformed", reason: reader.error };
  const [chosen_pods, tied_pods, protected_pods] = [1, 2, 3].map((field) => lists.get(field));
  return interpretPickerAnswer({ chosen_pods, tied_pods, protected_pods }, candidates);
}

// Protobuf strings are UTF-8. A lenient decoder would replace invalid bytes and so invent names.
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined; // TextDecoder has one error: the bytes are not UTF-8
  }
}

function tagOf(field: number, type: number): number {
  return field * 8 + type;
}

/** A varint: seven bits a byte, the lowest first. */
function varint(count: number): number[] {
  const bytes: number[] = [];
  let rest = count;
  for (; rest > 0x7f; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80);
  return [...bytes, rest];
}
