import { hexText } from "../../api/bytes.ts";
import { sha256 } from "../../machinery/hashing/sha256.ts";
import type { Instant } from "../../api/time.ts";
import type { StoredJson } from "../../cluster/store/store.ts";
import { lineOf, lineReader } from "./lines.ts";
import type { JsonObject } from "../../api/json.ts";

/** Everything that was stored at one moment: by collection, then by key. */
export type State = ReadonlyMap<string, ReadonlyMap<string, StoredJson>>;

/** Everything that happened in a cluster, in order: revisions, decisions and faults. */
export class Recording {
  /** When the cluster began. */
  readonly start: Instant;
  readonly #entries: Entry[] = [];

  constructor(start: Instant) {
    this.start = start;
  }

  get entries(): readonly Entry[] {
    return this.#entries;
  }

  add(entry: Entry): void {
    this.#entries.push(entry);
  }

  /** Returns what was stored at the end of an instant. */
  stateAt(instant: Instant): State {
    const state = new Map<string, Map<string, StoredJson>>();
    for (const entry of this.#entries) {
      if (entry.at > instant) break;
      if (entry.kind !== "revision") continue;
      const { collection, key, type, object } = entry;
      const objects = state.get(collection) ?? new Map<string, StoredJson>();
      state.set(collection, objects);
      if (type === "DELETED") objects.delete(key);
      else objects.set(key, object);
    }
    return state;
  }

  /** One line an entry; changes are written as merge patches. */
  *lines(): Generator<string, void, undefined> {
    for (const entry of this.#entries) yield lineOf(entry, this.start);
  }

  /** Returns a digest of the lines: equal runs have equal digests, on every machine. */
  digest(): string {
    const hash = sha256();
    for (const line of this.lines()) hash.update(line).update("\n");
    return hexText(hash.digest());
  }
}

/** A recording from its lines. */
export function readRecording(lines: Iterable<string>, start: Instant): Recording {
  const recording = new Recording(start);
  const read = lineReader(start);
  for (const line of lines) recording.add(read(line));
  return recording;
}

/** One thing that happened in a cluster. */
export type Entry =
  /** A commit; the object of a deletion is the last one there was. */
  | {
      readonly kind: "revision";
      readonly at: Instant;
      readonly revision: number;
      readonly type: "ADDED" | "MODIFIED" | "DELETED";
      readonly collection: string;
      readonly key: string;
      readonly object: StoredJson;
      /** What it replaced; absent for what was not there before. */
      readonly previous?: StoredJson | undefined;
    }
  /** Something was decided, and why. */
  | { readonly kind: "decision"; readonly at: Instant; readonly by: string; readonly what: JsonObject }
  /** A fault was injected. */
  | { readonly kind: "fault"; readonly at: Instant; readonly fault: string; readonly what: JsonObject };
