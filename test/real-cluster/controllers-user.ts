import { writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { stringify } from "yaml";
import { namespaces } from "../../src/api/resources.ts";
import { readManifests } from "../../src/cli/read-manifests.ts";
import type { RealCluster } from "./real-cluster.ts";

const namespace = "trimtab";
const apiVersion = "rbac.authorization.k8s.io/v1";
const apiGroup = "rbac.authorization.k8s.io";

const binding = (user: string, kind: "RoleBinding" | "ClusterRoleBinding", metadata: object) => ({
  apiVersion,
  kind,
  metadata: { name: user, ...metadata },
  subjects: [{ kind: "User", name: user, apiGroup }],
  roleRef: { apiGroup, kind: kind.replace("Binding", ""), name: user },
});

/** A user with the rights of `deploy/cluster-role.yaml` and no others. Returns its kubeconfig. */
export function makeControllersUser(cluster: RealCluster): Promise<string> {
  return makeProgramUser(cluster, { user: "trimtab-controllers", roles: "cluster-role.yaml" });
}

export interface ProgramUser {
  /** The name of its roles as well. */
  readonly user: string;
  /** The file in `deploy/` that has them. */
  readonly roles: string;
}

/** A user who has a client certificate in files, and the rights that a program is given. Returns its kubeconfig. */
export async function makeProgramUser(cluster: RealCluster, { user, roles }: ProgramUser): Promise<string> {
  const { client, folder } = cluster;
  await client.create(namespaces, { metadata: { name: namespace }, spec: {} });
  const bindings = path.join(folder, "bindings.yaml");
  const wanted = [binding(user, "ClusterRoleBinding", {}), binding(user, "RoleBinding", { namespace })];
  writeFileSync(bindings, wanted.map((each) => stringify(each)).join("---\n"));
  const read = readManifests([fileURLToPath(new URL(`../../deploy/${roles}`, import.meta.url)), bindings]);
  if (!read.ok) throw new Error(read.problem);
  for (const { resource, object } of read.manifests) await client.create(resource, object);
  return kubeconfigOf(user, cluster);
}

/** The kubeconfig of a user with a client certificate, all in files; what the user may do, others say. */
export function kubeconfigOf(user: string, { credentials, folder, access }: RealCluster): string {
  const { certificate, key } = credentials.certificateFor({ commonName: user });
  writeFileSync(path.join(folder, `${user}.crt`), certificate, { mode: 0o600 });
  writeFileSync(path.join(folder, `${user}.key`), key, { mode: 0o600 });
  const kubeconfig = path.join(folder, `${user}.kubeconfig`);
  const config = {
    "current-context": "here",
    contexts: [{ name: "here", context: { cluster: "real", user, namespace } }],
    clusters: [{ name: "real", cluster: { server: access.url, "certificate-authority": "ca.crt" } }],
    users: [{ name: user, user: { "client-certificate": `${user}.crt`, "client-key": `${user}.key` } }],
  };
  writeFileSync(kubeconfig, stringify(config), { mode: 0o600 });
  return kubeconfig;
}
