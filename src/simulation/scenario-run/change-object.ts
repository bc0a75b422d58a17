import type { FeatureGates } from "../../api/feature-gates.ts";
import type { JsonObject } from "../../api/json.ts";
import type { StoredObject } from "../../api/object.ts";
import type { Resource } from "../../api/resource.ts";
import { loadAnnotation } from "../../cluster/simulated-metrics/annotated-load.ts";
import { apiFailure } from "../../machinery/client/api-error.ts";
import type { Client, Patch } from "../../machinery/client/client.ts";
import { ifFound } from "../../machinery/client/if-found.ts";
import { checkManifest } from "../scenario-files/check-manifest.ts";
import { findObject } from "../scenario-files/find-resource.ts";
import type { LoadDocument } from "../scenario-files/scenario-document.ts";

/** Creates an object, or changes it to the manifest. */
export async function applyManifest(
  client: Client,
  document: JsonObject,
  gates: FeatureGates,
): Promise<void> {
  const { manifest } = checkManifest(document, "", gates);
  if (manifest === undefined) return;
  const { resource, object } = manifest;
  const { namespace, name } = object.metadata as { readonly namespace?: string; readonly name?: string };
  const found = name === undefined ? undefined : await ifFound(client.get(resource, { namespace, name }));
  if (found === undefined || name === undefined) await client.create(resource, object);
  else await client.patch(resource, { namespace, name }, { type: "strategic", body: object });
}

/** Gives an object its load; runs with other seeds have other random numbers in it. */
export async function applyLoad(client: Client, load: LoadDocument, seed: number): Promise<void> {
  const text = loadText(load.metrics, seed);
  const annotations = { [loadAnnotation]: text };
  await patchObject(client, load, { type: "merge", body: { metadata: { annotations } } });
}

function loadText(metrics: JsonObject, seed: number): string {
  const seeded = Object.entries(metrics).map(([name, metric]) => {
    const { seed: own = "", ...rest } = metric as JsonObject & { readonly seed?: string | number };
    return [name, { ...rest, seed: `${own}/${seed}` }];
  });
  return JSON.stringify(Object.fromEntries(seeded));
}

/** An object as a scenario names it. */
interface NamedObject {
  readonly object: string;
  readonly namespace?: string | undefined;
}

/** The object that a scenario names; throws an `ApiError` where there is no such kind. */
export function found({ object, namespace = "default" }: NamedObject) {
  const reference = findObject(object);
  if (typeof reference === "string") throw apiFailure(404, "NotFound", reference);
  const { resource, name } = reference;
  return { resource: resource as Resource, name: resource.namespaced ? { namespace, name } : { name } };
}

/** Patches an object that a scenario names, or its subresource. */
export function patchObject(
  client: Client,
  target: NamedObject,
  ...[patch, subresource]: [patch: Patch, subresource?: "status" | "scale"]
): Promise<StoredObject> {
  const { resource, name } = found(target);
  return client.patch(resource, name, { ...patch, subresource });
}
