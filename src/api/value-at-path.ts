import { isJsonObject, type Json } from "./json.ts";

/** Returns the names of a path such as `.spec.replicas`; `undefined` if it is no simple path. */
export function namesInPath(path: string): readonly string[] | undefined {
  if (!path.startsWith(".") || path.includes("[")) return undefined;
  const names = path.slice(1).split(".");
  return names.includes("") ? undefined : names;
}

/** Returns the value at a simple path of an object, if there is one. */
export function valueAtPath(object: Json, path: string): Json | undefined {
  const names = namesInPath(path);
  let value: Json | undefined = names === undefined ? undefined : object;
  for (const name of names ?? []) {
    if (!isJsonObject(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value;
}
