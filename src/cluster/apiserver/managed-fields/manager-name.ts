import { utf8Length } from "../../../api/bytes.ts";

const maxBytes = 128;
const unprintable = /\p{C}/u;

/** Returns the manager of a write: its `fieldManager`, or the program in the User-Agent. */
export function managerNameOf(fieldManager: string | undefined, userAgent: string | undefined): string {
  if (fieldManager !== undefined && fieldManager !== "") return fieldManager;
  const program = knownPrograms.get(userAgent ?? "") ?? programOf(userAgent ?? "");
  if (knownPrograms.size >= mostPrograms) knownPrograms.clear();
  knownPrograms.set(userAgent ?? "", program);
  return program === "" ? "unknown" : program;
}

/** Caches programs: clients are few, and each sends the same User-Agent with every request. */
const knownPrograms = new Map<string, string>();
const mostPrograms = 100;

/** upstream: prefixFromUserAgent. */
function programOf(userAgent: string): string {
  let name = "";
  let bytes = 0;
  for (const character of userAgent.split("/", 1)[0] ?? "") {
    if (unprintable.test(character)) continue;
    bytes += utf8Length(character);
    if (bytes > maxBytes) break;
    name += character;
  }
  return name;
}
