import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseAllDocuments } from "yaml";
import type { OwnerReference } from "../../src/api/generated/meta-v1.ts";
import type { PolicyRule } from "../../src/api/generated/rbac-v1.ts";
import type { ClientCall } from "../../src/machinery/client/intercept-client.ts";

const files = ["cluster-role.yaml", "steer/cluster-role.yaml", "scheduler/cluster-role.yaml"].map((name) =>
  fileURLToPath(new URL(`../../deploy/${name}`, import.meta.url)),
);

interface GrantedRole {
  readonly metadata: { readonly name: string };
  readonly rules: readonly PolicyRule[];
}

/** The permissions that the roles of a name in the manifest give: `update deployments.apps/status`. */
export function grantedPermissions(name: string): ReadonlySet<string> {
  const documents = files.flatMap((file) => parseAllDocuments(readFileSync(file, "utf8")));
  const roles = documents.map((document) => document.toJS() as GrantedRole);
  const meant = roles.filter(({ metadata }) => metadata.name === name);
  return new Set(meant.flatMap(({ rules }) => rules).flatMap(permissionsIn));
}

/** The permissions in the rules of a role. */
export const permissionsOf = (rules: readonly PolicyRule[]): readonly string[] =>
  rules.flatMap(permissionsIn);

function permissionsIn({ apiGroups = [], resources = [], verbs }: PolicyRule): readonly string[] {
  return apiGroups.flatMap((group) =>
    resources.flatMap((resource) => verbs.map((verb) => `${verb} ${qualified(resource, group)}`)),
  );
}

function qualified(resource: string, group: string): string {
  const [plural = "", subresource] = resource.split("/");
  const name = group === "" ? plural : `${plural}.${group}`;
  return subresource === undefined ? name : `${name}/${subresource}`;
}

/** The permissions that requests take. */
export function neededPermissions(requests: readonly ClientCall[]): ReadonlySet<string> {
  return new Set(requests.flatMap(permissionsFor));
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
