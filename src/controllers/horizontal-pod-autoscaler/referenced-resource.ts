import type { CrossVersionObjectReference } from "../../api/generated/autoscaling-v2.ts";
import type { Resource } from "../../api/resource.ts";
import { customResourceDefinitions } from "../../api/resources.ts";
import { schemaTable } from "../../api/schema/table.ts";
import { ApiError } from "../../machinery/client/api-error.ts";
import type { Client } from "../../machinery/client/client.ts";

/**
 * Finds the resource of the kind that a reference names, among the kinds of Kubernetes and those that a
 * CustomResourceDefinition defines; its version is one that is served, whatever the reference says.
 */
export async function referencedResource(
  client: Client,
  { kind, apiVersion }: CrossVersionObjectReference,
  signal: AbortSignal,
): Promise<Resource | undefined> {
  const group = groupOf(apiVersion);
  const own = schemaTable().kinds.find((facts) => facts.kind === kind && facts.group === group);
  if (own !== undefined || group === "") return own;
  return customResource(client, { kind, group, version: (apiVersion ?? "").replace(/^.*\//, "") }, signal);
}

/** Returns the API group of a reference. */
export function groupOf(apiVersion: string | undefined): string {
  const [group = "", version] = (apiVersion ?? "").split("/");
  return version === undefined ? "" : group;
}

async function customResource(
  client: Client,
  { kind, group, version: wanted }: Pick<Resource, "group" | "kind" | "version">,
  signal: AbortSignal,
): Promise<Resource | undefined> {
  const { items } = await client.list(customResourceDefinitions, {}, signal).catch((error: unknown) => {
    // Without the right to read definitions the controller knows no custom kinds.
    if (error instanceof ApiError) return { items: [] };
    throw error;
  });
  const found = items.find(({ spec }) => spec.group === group && spec.names.kind === kind);
  if (found === undefined) return undefined;
  const { names, scope, versions } = found.spec;
  const served = versions.filter((version) => version.served);
  const version = served.find(({ name }) => name === wanted) ?? served[0];
  if (version === undefined) return undefined;
  return { group, version: version.name, kind, plural: names.plural, namespaced: scope === "Namespaced" };
}
