import { parseJson } from "../../../api/parse-json.ts";
import type { PodHttpSource } from "../configuration/score-schemas.ts";
import { type AskPodsDependencies, podSource } from "./ask-pods.ts";
import { valueAt } from "./json-pointer.ts";
import type { PodNumber, ReadSource } from "./source.ts";

/** Asks each Pod for a number in a document of JSON. */
export function podHttpSource(source: PodHttpSource, dependencies: AskPodsDependencies): ReadSource {
  const { path, pointer = "" } = source;
  const read = (text: string): PodNumber => {
    const parsed = parseJson(text);
    if (!parsed.ok) return { class: "Malformed", detail: "it is not JSON" };
    const value = valueAt(parsed.value, pointer);
    if (value === undefined || value === null) return undefined;
    return typeof value === "number" ? value : { class: "NotANumber" };
  };
  return podSource({ endpoint: source, path, accept: "application/json", read }, dependencies);
}
