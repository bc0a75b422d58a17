import {
  hasMore,
  readBytes,
  readTag,
  skipField,
  wireReader,
  wireType,
} from "../api/schema/protobuf/wire-reader.ts";
import { interpretPickerAnswer, type PickerAnswer } from "../decisions/downscale/picker-answer.ts";
import type { PickPodsRequest } from "./transport.ts";

/** The one method of `contract/picker.proto`. */
export const pickPodsPath = "/trimtab.picker.v1.DownscalePodPicker/PickPods";

/** A `PickPodsRequest`. */
export function encodePickPodsRequest({ requested, candidates }: PickPodsRequest): Buffer {
  const names = candidates.flatMap((name) => {
    const bytes = Buffer.from(name, "utf8");
    return [Buffer.from([tagOf(2, wireType.bytes), ...varint(bytes.length)]), bytes];
  });
  return Buffer.concat([Buffer.from([tagOf(1, wireType.varint), ...varint(requested)]), ...names]);
}

/** Reads a `PickPodsResponse` for the candidates it was asked about; whatever the bytes are, the result is a value. */
export function parsePickPodsResponse(bytes: Uint8Array, candidates: Iterable<string>): PickerAnswer {
  const reader = wireReader(bytes);
  // By the number of the field; one that is not there is an empty list in this protocol.
  const lists = new Map<number, string[]>([
    [1, []],
    [2, []],
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
  return interpretPickerAnswer({ chosen_pods: lists.get(1), tied_pods: lists.get(2) }, candidates);
}

// Protobuf wants strings to be UTF-8, and readers that mend them make names out of what was none.
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

function tagOf(field: number, type: number): number {
  return field * 8 + type;
}

/** A count as protobuf writes it: seven bits a byte, the lowest first. */
function varint(count: number): number[] {
  const bytes: number[] = [];
  let rest = count;
  for (; rest > 0x7f; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80);
  return [...bytes, rest];
}
