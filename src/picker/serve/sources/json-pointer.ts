import { isJsonObject, type Json } from "../../../api/json.ts";

/** The value at a JSON pointer (RFC 6901); `undefined` if there is none. */
export function valueAt(document: Json, pointer: string): Json | undefined {
  const [, ...steps] = pointer.split("/");
  let value: Json | undefined = document;
  for (const step of steps) value = memberOf(value, step.replaceAll("~1", "/").replaceAll("~0", "~"));
  return value;
}

function memberOf(value: Json | undefined, name: string): Json | undefined {
  if (Array.isArray(value))
    return /^(0|[1-9]\d*)$/.test(name) ? (value as readonly Json[])[Number(name)] : undefined;
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}
