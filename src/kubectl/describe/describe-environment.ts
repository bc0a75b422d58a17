import type { Json, JsonObject } from "../../api/json.ts";
import { parseQuantity } from "../../api/quantity/quantity.ts";
import { at, listAt, textAt } from "../selection/kube-object.ts";
import type { Lines } from "./describe-lines.ts";

const isOptional = (reference: Json | undefined) => String(at(reference, "optional") === true);

/** What a container takes its variables from. */
export function environmentFromLines(container: JsonObject): Lines {
  const sources = listAt(container, "envFrom");
  if (sources.length === 0) return [];
  return ["    Environment Variables from:", ...sources.map(sourceLine)];
}

function sourceLine(source: JsonObject): string {
  const map = at(source, "configMapRef");
  const reference = map ?? at(source, "secretRef");
  const prefix = textAt(source, "prefix");
  const kind =
    (map === undefined ? "Secret" : "ConfigMap") + (prefix === "" ? "" : ` with prefix '${prefix}'`);
  return `      ${textAt(reference, "name")}\t${kind}\tOptional: ${isOptional(reference)}`;
}

/** The variables of a container; those that refer to its Pod with their values. */
export function environmentLines(container: JsonObject, pod: JsonObject | undefined): Lines {
  const variables = listAt(container, "env");
  if (variables.length === 0) return ["    Environment:\t<none>"];
  return ["    Environment:", ...variables.flatMap((variable) => variableLines(variable, container, pod))];
}

function variableLines(variable: JsonObject, container: JsonObject, pod: JsonObject | undefined): Lines {
  const name = textAt(variable, "name");
  const from = at(variable, "valueFrom");
  if (from === undefined)
    return textAt(variable, "value")
      .split("\n")
      .map((line, index) => (index === 0 ? `      ${name}:\t${line}` : `      \t${line}`));
  const text = referenceText(from, container, pod);
  return text === undefined ? [] : [`      ${name}:\t${text}`];
}

function referenceText(from: Json, container: JsonObject, pod: JsonObject | undefined): string | undefined {
  const [field, resource] = [at(from, "fieldRef"), at(from, "resourceFieldRef")];
  const [secret, map] = [at(from, "secretKeyRef"), at(from, "configMapKeyRef")];
  if (field !== undefined) {
    const path = textAt(field, "fieldPath");
    return `${fieldValue(pod, path)} (${textAt(field, "apiVersion")}:${path})`;
  }
  if (resource !== undefined) return resourceText(resource, container);
  if (secret !== undefined)
    return `<set to the key '${textAt(secret, "key")}' in secret '${textAt(secret, "name")}'>\tOptional: ${isOptional(secret)}`;
  if (map !== undefined)
    return `<set to the key '${textAt(map, "key")}' of config map '${textAt(map, "name")}'>\tOptional: ${isOptional(map)}`;
  return undefined;
}

/** kubectl knows the metadata only. */
function fieldValue(pod: JsonObject | undefined, path: string): string {
  const [, map, key] = /^metadata\.(labels|annotations)\['(.*)'\]$/.exec(path) ?? [];
  if (map !== undefined && key !== undefined) return textAt(pod, "metadata", map, key);
  return /^metadata\.(?:name|namespace|uid)$/.test(path) ? textAt(pod, ...path.split(".")) : "";
}

function resourceText(reference: Json, container: JsonObject): string {
  const resource = textAt(reference, "resource");
  const amount = parseQuantity(textAt(container, "resources", ...resource.split(".")) || "0");
  const given = parseQuantity(textAt(reference, "divisor") || "0");
  const divisor = given === undefined || given.nanos === 0n ? 1_000_000_000n : given.nanos;
  const nanos = amount?.nanos ?? 0n;
  const value = (nanos + divisor - 1n) / divisor;
  const isUnlimited = value === 0n && (resource === "limits.cpu" || resource === "limits.memory");
  return `${isUnlimited ? "node allocatable" : String(value)} (${resource})`;
}
