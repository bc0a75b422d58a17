import type { Context } from "../context.ts";
import type { DryRunMode } from "../line/dry-run.ts";
import type { Item } from "../selection/fetch-objects.ts";
import type { KubeObject } from "../selection/kube-object.ts";
import { type ApiResource, resourcePath } from "./discovery.ts";
import type { Query } from "./server.ts";

const patchTypes = {
  json: "application/json-patch+json",
  merge: "application/merge-patch+json",
  strategic: "application/strategic-merge-patch+json",
  apply: "application/apply-patch+yaml",
} as const;

/** How an object is changed. */
export interface ObjectPatch {
  readonly type: keyof typeof patchTypes;
  readonly body: unknown;
  readonly manager: string;
  readonly dryRun: DryRunMode;
  readonly subresource?: string;
  readonly query?: Query;
}

/** Strategic patches are for built-in kinds, whose groups have no owner. */
export function strategicOrMerge({ group }: ApiResource): "strategic" | "merge" {
  return !group.includes(".") || group.endsWith(".k8s.io") ? "strategic" : "merge";
}

function writing(context: Context, manager: string, dryRun: DryRunMode): Query {
  return {
    ...(dryRun === "server" && { dryRun: "All" }),
    fieldManager: context.text("field-manager") === "" ? manager : context.text("field-manager"),
    fieldValidation: "Strict",
  };
}

/** Patches an object; resolves to it as the server has it now. */
export async function patchObject(
  context: Context,
  { resource, object }: Item,
  { type, body, manager, dryRun, subresource, query = {} }: ObjectPatch,
): Promise<KubeObject> {
  const { name, namespace } = object.metadata;
  const path = resourcePath(resource, { namespace, name, subresource });
  const request = {
    method: "PATCH" as const,
    path,
    contentType: patchTypes[type],
    body: typeof body === "string" ? body : JSON.stringify(body),
  };
  return (await context.server.send(request, {
    ...writing(context, manager, dryRun),
    ...query,
  })) as KubeObject;
}

/** Creates an object; resolves to it as the server has it. */
export async function createObject(
  context: Context,
  { resource, object }: Item,
  { manager, dryRun }: Pick<ObjectPatch, "manager" | "dryRun">,
): Promise<KubeObject> {
  const path = resourcePath(resource, { namespace: object.metadata.namespace });
  const request = {
    method: "POST" as const,
    path,
    contentType: "application/json",
    body: JSON.stringify(object),
  };
  return (await context.server.send(request, writing(context, manager, dryRun))) as KubeObject;
}

/** Replaces an object. */
export async function replaceObject(
  context: Context,
  { resource, object }: Item,
  { manager, dryRun }: Pick<ObjectPatch, "manager" | "dryRun">,
): Promise<KubeObject> {
  const { name, namespace } = object.metadata;
  const path = resourcePath(resource, { namespace, name });
  const request = {
    method: "PUT" as const,
    path,
    contentType: "application/json",
    body: JSON.stringify(object),
  };
  return (await context.server.send(request, writing(context, manager, dryRun))) as KubeObject;
}
