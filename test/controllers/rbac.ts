import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseAllDocuments } from "yaml";
import type { OwnerReference } from "../../src/api/generated/meta-v1.ts";
import type { PolicyRule } from "../../src/api/generated/rbac-v1.ts";
import type { ClientCall } from "../../src/machinery/client/intercept-client.ts";

const files = [
  "cluster-role.yaml",
  "optional-controllers.yaml",
  "steer/cluster-role.yaml",
  "scheduler/cluster-role.yaml",
].map((name) => fileURLToPath(new URL(`../../deploy/${name}`, import.meta.url)));

interface GrantedRole {
  readonly metadata: { readonly name: string };
  readonly rules: readonly PolicyRule[];
}

function rolesInDeploy(): readonly GrantedRole[] {
  const documents = files.flatMap((file) => parseAllDocuments(readFileSync(file, "utf8")));
  return documents.map((document) => document.toJS() as GrantedRole);
}

/**
 * The permissions that the roles of a name in the manifest give: `update deployments.apps/status`, and where a role names
 * the object, `get leases.coordination.k8s.io trimtab-steer`.
 */
export function grantedPermissions(name: string): ReadonlySet<string> {
  const meant = rolesInDeploy().filter(({ metadata }) => metadata.name === name);
  return new Set(permissionsOf(meant.flatMap(({ rules }) => rules)));
}

/** The permissions in the rules of a role. */
export const permissionsOf = (rules: readonly PolicyRule[]): readonly string[] =>
  rules.flatMap(permissionsIn);

function permissionsIn({
  apiGroups = [],
  resources = [],
  resourceNames,
  verbs,
}: PolicyRule): readonly string[] {
  const all = apiGroups.flatMap((group) =>
    resources.flatMap((resource) => verbs.map((verb) => `${verb} ${qualified(resource, group)}`)),
  );
  return resourceNames === undefined
    ? all
    : all.flatMap((one) => resourceNames.map((name) => `${one} ${name}`));
}

function qualified(resource: string, group: string): string {
  const [plural = "", subresource] = resource.split("/");
  const name = group === "" ? plural : `${plural}.${group}`;
  return subresource === undefined ? name : `${name}/${subresource}`;
}

/** The permissions that requests take, for one object where the permission for it is among those that are given. */
export function neededPermissions(
  requests: readonly ClientCall[],
  granted: readonly string[] = permissionsOf(rolesInDeploy().flatMap(({ rules }) => rules)),
): ReadonlySet<string> {
  const given = new Set(granted);
  const narrowed = (request: ClientCall) =>
    permissionsFor(request).map((permission) => {
      const forOne = `${permission} ${request.name ?? ""}`;
      return given.has(forOne) ? forOne : permission;
    });
  return new Set(requests.flatMap(narrowed));
}

/** Those of them that the roles do not give; without another name those of controllers that ask no pickers. */
export function missingPermissions(
  requests: readonly ClientCall[],
  roles: readonly string[] = ["trimtab-controllers"],
): readonly string[] {
  const granted = new Set(roles.flatMap((role) => [...grantedPermissions(role)]));
  return [...neededPermissions(requests)].filter((permission) => !granted.has(permission));
}

function permissionsFor(request: ClientCall): readonly string[] {
  const { verb, collection, subresource } = request;
  const whole = subresource === undefined ? collection : `${collection}/${subresource}`;
  const own = verb === "bind" ? `create ${collection}/binding` : `${verb.toLowerCase()} ${whole}`;
  // Informers watch where a server streams what there is, and list where it does not.
  if (verb === "watch") return [own, `list ${whole}`];
  return [own, ...ownersIn(request.body).map(({ kind }) => `update ${collections[kind] ?? kind}/finalizers`)];
}

const collections: Readonly<Record<string, string>> = {
  Deployment: "deployments.apps",
  ReplicaSet: "replicasets.apps",
  ReplicationController: "replicationcontrollers",
  StatefulSet: "statefulsets.apps",
  DaemonSet: "daemonsets.apps",
  Pod: "pods",
};

interface Sent {
  readonly metadata?: { readonly ownerReferences?: readonly OwnerReference[]; readonly uid?: string };
  readonly body?: Sent;
}

/** The owners whose deletion an object that is created, or a patch, is to block. */
function ownersIn(body: unknown): readonly OwnerReference[] {
  const { metadata, body: patch } = (body ?? {}) as Sent;
  const references = [...(metadata?.ownerReferences ?? []), ...(patch?.metadata?.ownerReferences ?? [])];
  return references.filter(({ blockOwnerDeletion }) => blockOwnerDeletion === true);
}
