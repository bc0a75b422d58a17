import { writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { stringify } from "yaml";
import { namespaces } from "../../src/api/resources.ts";
import { readManifests } from "../../src/cli/read-manifests.ts";
import type { RealCluster } from "./real-cluster.ts";

const roles = fileURLToPath(new URL("../../deploy/cluster-role.yaml", import.meta.url));
const user = "trimtab-controllers";
const namespace = "trimtab";
const apiVersion = "rbac.authorization.k8s.io/v1";
const subjects = [{ kind: "User", name: user, apiGroup: "rbac.authorization.k8s.io" }];

const binding = (kind: "RoleBinding" | "ClusterRoleBinding", metadata: object) => ({
  apiVersion,
  kind,
  metadata: { name: user, ...metadata },
  subjects,
  roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: kind.replace("Binding", ""), name: user },
});

/**
 * A user with the rights of `deploy/cluster-role.yaml` and no others, who has a client certificate in files. Returns its
 * kubeconfig.
 */
export async function makeControllersUser(cluster: RealCluster): Promise<string> {
  const { client, credentials, folder, access } = cluster;
  await client.create(namespaces, { metadata: { name: namespace }, spec: {} });
  const bindings = path.join(folder, "bindings.yaml");
  const wanted = [binding("ClusterRoleBinding", {}), binding("RoleBinding", { namespace })];
  writeFileSync(bindings, wanted.map((each) => stringify(each)).join("---\n"));
  const read = readManifests([roles, bindings]);
  if (!read.ok) throw new Error(read.problem);
  for (const { resource, object } of read.manifests) await client.create(resource, object);

  const { certificate, key } = credentials.certificateFor({ commonName: user });
  writeFileSync(path.join(folder, "controllers.crt"), certificate, { mode: 0o600 });
  writeFileSync(path.join(folder, "controllers.key"), key, { mode: 0o600 });
  const kubeconfig = path.join(folder, "controllers.kubeconfig");
  const config = {
    "current-context": "here",
    contexts: [{ name: "here", context: { cluster: "real", user: "controllers", namespace } }],
    clusters: [{ name: "real", cluster: { server: access.url, "certificate-authority": "ca.crt" } }],
    users: [
      {
        name: "controllers",
        user: { "client-certificate": "controllers.crt", "client-key": "controllers.key" },
      },
    ],
  };
  writeFileSync(kubeconfig, stringify(config), { mode: 0o600 });
  return kubeconfig;
}
