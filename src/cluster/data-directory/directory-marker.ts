import { lstatSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { isJsonObject } from "../../api/json.ts";
import { parseJson } from "../../api/parse-json.ts";
import { replaceFile } from "../replace-file.ts";
import { isLockFile } from "./process-lock.ts";

/** The file that marks a folder as a data directory and names its format. */
const markerName = "trimtab.json";
const format = 1;

/** The states of a data directory; one that is being created has never acknowledged a write. */
export type DirectoryState = "absent" | "creating" | "ready";

/** Reads the state of a data directory; throws one sentence for anything that is not one, without touching it. */
export function readMarker(folder: string): DirectoryState {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found === undefined) return "absent";
  if (!lstatSync(`${folder}/`).isDirectory()) throw new Error("it is not a folder");
  const entries = readdirSync(folder);
  if (entries.includes(markerName)) return stateIn(readFileSync(path.join(folder, markerName), "utf8"));
  // The root of a new file system has a folder `lost+found`.
  if (entries.every((name) => name === "lost+found" || isLockFile(name))) return "absent";
  throw new Error("it has other files and is not a data directory of trimtab");
}

function stateIn(text: string): DirectoryState {
  const parsed = parseJson(text);
  const marker = parsed.ok && isJsonObject(parsed.value) ? parsed.value : {};
  const written = marker["format"];
  if (typeof written === "number" && written > format)
    throw new Error(`it has format ${written}, this version of trimtab knows formats up to ${format}`);
  const { state } = marker;
  if (written !== format || (state !== "creating" && state !== "ready"))
    throw new Error(`its ${markerName} is damaged`);
  return state;
}

/** Marks a folder as a data directory. */
export function writeMarker(folder: string, state: Exclude<DirectoryState, "absent">): void {
  replaceFile(path.join(folder, markerName), `${JSON.stringify({ format, state })}\n`);
}
