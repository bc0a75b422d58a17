import type { CrossVersionObjectReference } from "../../api/generated/autoscaling-v2.ts";
import type { Resource } from "../../api/resource.ts";
import { schemaTable } from "../../api/schema/table.ts";
import { ifFound } from "../../machinery/client/api-error.ts";
import type { Client } from "../../machinery/client/client.ts";

/**
 * Finds the resource of the kind that a reference names, among the kinds of Kubernetes and those that the API server
 * serves besides; its version is one that is served, whatever the reference says.
 */
export async function referencedResource(
  client: Client,
  { kind, apiVersion }: CrossVersionObjectReference,
  signal: AbortSignal,
): Promise<Resource | undefined> {
  const group = apiGroupOf(apiVersion);
  const own = schemaTable().kinds.find((facts) => facts.kind === kind && facts.group === group);
  if (own !== undefined || group === "") return own;
  return foundResource(client, { kind, group, version: (apiVersion ?? "").replace(/^.*\//, "") }, signal);
}

/** Returns the API group of a reference. */
export function apiGroupOf(apiVersion: string | undefined): string {
  const [group = "", version] = (apiVersion ?? "").split("/");
  return version === undefined ? "" : group;
}

/** Finds a kind by discovery: in the version of the reference, or in any if it is no longer served. */
async function foundResource(
  client: Client,
  { kind, group, version }: Pick<Resource, "group" | "kind" | "version">,
  signal: AbortSignal,
): Promise<Resource | undefined> {
  const named = await ifFound(client.resource({ group, kind, version }, signal));
  return named ?? ifFound(client.resource({ group, kind }, signal));
}
