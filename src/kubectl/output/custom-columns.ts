import type { JsonObject } from "../../api/json.ts";
import { failure } from "../command-failure.ts";
import { alignColumns, tableSpacing } from "./align-columns.ts";
import { goJson } from "./go-json.ts";
import { templateValues } from "./json-path.ts";
import { relaxedPath } from "./relaxed-path.ts";

/** Prints the columns of `NAME:.path,NAME:.path`. */
export function customColumns(spec: string, hasHeader: boolean): (object: JsonObject) => string {
  if (spec === "") throw failure("custom-columns format specified but no custom columns given");
  const columns = spec.split(",").map((part) => {
    const [header = "", ...path] = part.split(":");
    if (path.length === 0)
      throw failure(`unexpected custom-columns spec: ${part}, expected <header>:<json-path-expr>`);
    const template = relaxedPath(path.join(":"));
    if (template === undefined)
      throw failure(
        `unexpected path string, expected a 'name1.name2' or '.name1.name2' or '{name1.name2}' or '{.name1.name2}'`,
      );
    return { header, template };
  });
  let isFirst = true;
  return (object) => {
    const items = Array.isArray(object["items"]) ? (object["items"] as readonly JsonObject[]) : [object];
    const rows = items.map((item) => columns.map(({ template }) => cellOf(template, item)).join("\t"));
    const header = hasHeader && isFirst ? [columns.map((each) => each.header).join("\t")] : [];
    isFirst = false;
    const lines = [...header, ...rows];
    return lines.length === 0 ? "" : `${alignColumns(lines.join("\n"), tableSpacing)}\n`;
  };
}

function cellOf(template: string, item: JsonObject): string {
  const values = templateValues(template, item);
  if (values.length === 0) return "<none>";
  return values
    .map((value) => (value === null ? "<nil>" : typeof value === "string" ? value : goText(value)))
    .join(",");
}

/** A value as Go prints it: maps and lists in its own notation. */
export function goText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(goText).join(" ")}]`;
  if (typeof value !== "object" || value === null)
    return value === null ? "<nil>" : typeof value === "string" ? value : goJson(value);
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return `map[${entries.map(([key, member]) => `${key}:${goText(member)}`).join(" ")}]`;
}
