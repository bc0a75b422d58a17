import { parseDocument } from "yaml";
import type { Json } from "../../../api/json.ts";
import { messageOf } from "../../../api/message-of.ts";
import { parseJson, type ParsedJson } from "../../../api/parse-json.ts";
import { exceededYamlLimit, maxAliases } from "./yaml-limits.ts";

/** Reads one YAML document as the JSON value it stands for. */
export function readYaml(text: string): ParsedJson {
  try {
    const absurdity = exceededYamlLimit(text);
    if (absurdity !== undefined) return { ok: false, error: absurdity };
    const document = parseDocument(text, { prettyErrors: false });
    const [problem] = document.errors;
    if (problem !== undefined) return { ok: false, error: `invalid YAML: ${problem.message}` };
    // Through text, so that what YAML alone can say (dates, sets, keys that are no strings) cannot slip in.
    return parseJson(JSON.stringify(document.toJS({ maxAliasCount: maxAliases }) as Json) ?? "null");
  } catch (error) {
    return { ok: false, error: `invalid YAML: ${messageOf(error)}` };
  }
}
