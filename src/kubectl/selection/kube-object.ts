import { isJsonObject, type Json, type JsonObject } from "../../api/json.ts";

/** An object of any kind. */
export interface KubeObject extends JsonObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMetadata;
}

export interface ObjectMetadata extends JsonObject {
  readonly name: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** The group of an `apiVersion`. */
export function groupOf(apiVersion: string): string {
  const [group = "", version] = apiVersion.split("/");
  return version === undefined ? "" : group;
}

/** `pod/web`, or `deployment.apps/web`. */
export function nameText({ apiVersion, kind, metadata }: KubeObject): string {
  const group = groupOf(apiVersion);
  return `${kind.toLowerCase()}${group === "" ? "" : `.${group}`}/${metadata.name}`;
}

/** What is at a path; `undefined` where any member is missing. */
export function at(value: Json | undefined, ...path: readonly string[]): Json | undefined {
  let current: Json | undefined = value;
  for (const key of path) current = isJsonObject(current) ? current[key] : undefined;
  return current;
}

/** The texts of a map at a path. */
export function mapAt(value: Json | undefined, ...path: readonly string[]): Readonly<Record<string, string>> {
  const found = at(value, ...path);
  return isJsonObject(found) ? (found as Readonly<Record<string, string>>) : {};
}

/** The objects of a list at a path. */
export function listAt(value: Json | undefined, ...path: readonly string[]): readonly JsonObject[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? (found as readonly JsonObject[]) : [];
}

/** A text at a path; empty where there is none. */
export function textAt(value: Json | undefined, ...path: readonly string[]): string {
  const found = at(value, ...path);
  return found === undefined || found === null || typeof found === "object" ? "" : String(found);
}

/** A number at a path; `undefined` where there is none. */
export function numberAt(value: Json | undefined, ...path: readonly string[]): number | undefined {
  const found = at(value, ...path);
  return typeof found === "number" ? found : undefined;
}
