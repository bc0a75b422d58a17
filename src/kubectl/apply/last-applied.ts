import { isJsonObject, type JsonObject } from "../../api/json.ts";
import { lastAppliedAnnotation } from "../../api/well-known.ts";
import { goJson } from "../output/go-json.ts";
import { type KubeObject, mapAt } from "../selection/kube-object.ts";

/** An object with the annotation that says what was applied. */
export function withLastAppliedAnnotation(object: KubeObject): KubeObject {
  const { [lastAppliedAnnotation]: _, ...annotations } = mapAt(object, "metadata", "annotations");
  const plain = { ...object, metadata: { ...object.metadata, annotations } };
  const applied = { ...annotations, [lastAppliedAnnotation]: `${goJson(plain)}\n` };
  return { ...object, metadata: { ...object.metadata, annotations: applied } };
}

/** What was applied to an object; nothing where it does not say. */
export function lastAppliedOf(object: JsonObject): JsonObject | undefined {
  const text = mapAt(object, "metadata", "annotations")[lastAppliedAnnotation];
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined; // somebody else wrote it
  }
}
