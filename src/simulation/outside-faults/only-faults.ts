import { parseJson } from "../../api/parse-json.ts";
import { type ReadTextFile, readTextFile } from "../../machinery/client/connection/text-file.ts";

export type OnlyFaults =
  | { readonly ok: true; readonly identities: readonly string[] }
  /** The problem is one sentence with the name of the file. */
  | { readonly ok: false; readonly problem: string };

/** Reads the file with the identities of the only faults that are injected. */
export function readOnlyFaults(file: string, read: ReadTextFile = readTextFile): OnlyFaults {
  const found = read(file);
  if (!found.ok) return { ok: false, problem: `${file}: ${found.reason}` };
  const parsed = parseJson(found.text);
  const value = parsed.ok ? parsed.value : undefined;
  return Array.isArray(value) && value.every((each) => typeof each === "string")
    ? { ok: true, identities: value }
    : { ok: false, problem: `${file} has no JSON array of faults, as trimtab faults run --save writes it` };
}
