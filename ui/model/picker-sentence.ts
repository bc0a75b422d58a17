import { isJsonObject, type Json, type JsonObject } from "../../src/api/json.ts";

/** What a pod picker was asked and what came of it, from the record of a removal. */
export function pickerSentence(picker: JsonObject): string {
  const { outcome, class: failure } = picker;
  if (outcome === "NotNeeded") return "The pod picker was not asked: the rules above it decide.";
  const { requested, candidates } = members(picker["asked"]);
  const asked = `The pod picker was asked to choose ${text(requested)} of ${text(candidates)} Pods`;
  if (outcome === "Ranked") {
    const { chosen, tied } = members(picker["answered"]);
    const ties = tied === 0 ? "" : `, ${text(tied)} of them tied`;
    return `${asked} and chose ${text(chosen)}${ties}: its choice goes first.`;
  }
  if (outcome === "Empty") return `${asked} and chose none: the rules decide.`;
  return `${asked} and gave no answer that can be used (${text(failure)}): the rules decide.`;
}

function members(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

const text = (value: Json | undefined) =>
  typeof value === "number" || typeof value === "string" ? String(value) : "?";
