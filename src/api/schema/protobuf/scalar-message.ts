import type { Json, JsonObject } from "../../json.ts";
import { formatDuration } from "../../duration.ts";
import { canonicalQuantity, quantityProblem } from "../../quantity/format-quantity.ts";
import { formatTime } from "../../time.ts";
import { fail, type WireReader } from "./wire-reader.ts";

/** The first second of the year 1, which is Go's "no time", and the last of the year 9999. */
const noTime = -62_135_596_800;
const lastSecond = 253_402_300_799;

/** The JSON form of a scalar that is a message on the wire; `undefined` when that is null. */
export function scalarFromMessage(type: string, message: JsonObject, reader: WireReader): Json | undefined {
  switch (type) {
    case "Time":
      return timeFrom(message, 0, reader);
    case "MicroTime":
      return timeFrom(message, 6, reader);
    case "Duration":
      return formatDuration(numberIn(message, "duration") / 1e6);
    case "Quantity":
      return quantityFrom(message, reader);
    case "IntOrString":
      return message["type"] === 1 ? textIn(message, "strVal") : numberIn(message, "intVal");
    case "StringList":
      return message["items"] ?? [];
    case "SchemaOrBool":
      return message["schema"] ?? message["allows"] ?? false;
    case "SchemaOrArray":
      return message["schema"] ?? message["jSONSchemas"] ?? [];
    case "SchemaOrStringArray":
      return message["schema"] ?? message["property"] ?? [];
    default:
      return fail(reader, `type ${type} is not supported`);
  }
}

function numberIn(message: JsonObject, name: string): number {
  const value = message[name];
  return typeof value === "number" ? value : 0;
}

function textIn(message: JsonObject, name: string): string {
  const value = message[name];
  return typeof value === "string" ? value : "";
}

function timeFrom(message: JsonObject, fractionDigits: number, reader: WireReader): string | undefined {
  const seconds = numberIn(message, "seconds");
  const nanos = numberIn(message, "nanos");
  if (seconds === noTime && nanos === 0) return undefined;
  if (seconds < noTime || seconds > lastSecond || nanos < 0 || nanos >= 1e9)
    return fail(reader, `time ${seconds}.${nanos} is out of range`);
  const text = formatTime(seconds * 1000);
  if (fractionDigits === 0) return text;
  return `${text.slice(0, 19)}.${String(nanos).padStart(9, "0").slice(0, fractionDigits)}Z`;
}

function quantityFrom(message: JsonObject, reader: WireReader): string | undefined {
  const text = textIn(message, "string");
  if (text === "") return "0";
  return canonicalQuantity(text) ?? fail(reader, quantityProblem(text));
}
