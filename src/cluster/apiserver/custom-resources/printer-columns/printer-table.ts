import { humanDuration } from "../../../../api/duration.ts";
import type { Json, JsonObject } from "../../../../api/json.ts";
import type { StoredObject } from "../../../../api/object.ts";
import { type Instant, parseTime } from "../../../../api/time.ts";
import { ageOf } from "../../tables/cell-text.ts";
import {
  ageColumn,
  type Column,
  nameColumn,
  type TableCell,
  type TableDescription,
} from "../../tables/table-description.ts";
import { findByPath } from "./find-by-path.ts";
import { parseColumnPath, type PathStep } from "./json-path.ts";

/** A column of `additionalPrinterColumns`. */
export interface PrinterColumn {
  readonly name: string;
  readonly type: string;
  readonly jsonPath: string;
  readonly description?: string | undefined;
  readonly format?: string | undefined;
  readonly priority?: number | undefined;
}

/** Returns how the objects of a custom kind are shown: by its columns, or by name and age without any. */
export function printerTable(printerColumns: readonly PrinterColumn[]): TableDescription {
  if (printerColumns.length === 0) {
    return {
      columns: [nameColumn, { ...ageColumn, type: "date" }],
      cells: (object, now) => [object.metadata.name, ageOf(object, now)],
    };
  }
  const readers = readersOf(printerColumns);
  return {
    columns: [nameColumn, ...readers.map(({ column }) => columnOf(column))],
    cells: (object, now) => [
      object.metadata.name,
      ...readers.map(({ column, steps }) => cellOf(findByPath(jsonOf(object), steps), column.type, now)),
    ],
  };
}

interface Reader {
  readonly column: PrinterColumn;
  readonly steps: readonly PathStep[];
}

/** upstream: a path that cannot be parsed leaves its column out, and those after it. */
function readersOf(columns: readonly PrinterColumn[]): readonly Reader[] {
  const readers: Reader[] = [];
  for (const column of columns) {
    const parsed = parseColumnPath(column.jsonPath);
    if (!parsed.ok) return readers;
    readers.push({ column, steps: parsed.steps });
  }
  return readers;
}

function columnOf({ name, type, format, description, priority, jsonPath }: PrinterColumn): Column {
  return {
    name,
    type: type as Column["type"],
    format: format ?? "",
    description: description || `Custom resource definition column (in JSONPath format): ${jsonPath}`,
    priority: priority ?? 0,
  };
}

/** Stored objects are JSON, which their interfaces do not say. */
function jsonOf(object: StoredObject): JsonObject {
  return object as unknown as JsonObject;
}

function cellOf(value: Json | undefined, type: string, now: Instant): TableCell {
  if (value === undefined) return null;
  switch (type) {
    case "integer":
      return typeof value === "number" ? Math.trunc(value) : null;
    case "number":
      return typeof value === "number" ? value : null;
    case "boolean":
      return typeof value === "boolean" ? value : null;
    case "date":
      return dateText(value, now);
    default:
      return textOf(value);
  }
}

function dateText(value: Json, now: Instant): TableCell {
  if (typeof value !== "string") return null;
  const instant = parseTime(value);
  return instant === undefined ? "<invalid>" : humanDuration(now - instant);
}

function textOf(value: Json): string {
  if (value === null) return "<no value>";
  return typeof value === "string" ? value : JSON.stringify(value);
}
