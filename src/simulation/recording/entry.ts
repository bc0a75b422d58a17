import type { JsonObject } from "../../api/json.ts";
import type { Instant } from "../../api/time.ts";
import type { StoredJson } from "../../cluster/store/store.ts";

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
