import { existsSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { stringify } from "yaml";
import { readManifests } from "../../src/cli/read-manifests.ts";
import { mutatingWebhookConfigurations } from "../../src/steering/serving/webhook-configuration.ts";
import { makeNamespace } from "../embedded-cluster.ts";
import { eventually } from "./eventually.ts";
import { freePort } from "./free-port.ts";
import type { RealCluster } from "./real-cluster.ts";
import { startTrimtab, type TrimtabProgram } from "./trimtab-program.ts";

/** This file may be compiled, a folder deeper. */
const roles =
  ["../..", "../../.."]
    .map((root) => fileURLToPath(new URL(`${root}/deploy/steer/cluster-role.yaml`, import.meta.url)))
    .find((file) => existsSync(file)) ?? "";
const user = "trimtab-steer";
const namespace = "trimtab";

/** What a cluster needs before `trimtab steer` runs on it. */
export interface SteeredCluster {
  readonly cluster: RealCluster;
  /** Of a user with the rights of `deploy/steer` and no others. */
  readonly kubeconfig: string;
  readonly config: string;
}

/** Makes the user of `trimtab steer` and its configuration: it is called on loopback, by its URL. */
export async function prepareSteer(
  cluster: RealCluster,
  /** More of the SteeringConfiguration. */
  more: { readonly defaultSpread?: readonly object[] } = {},
): Promise<SteeredCluster> {
  const { client, credentials, folder, access } = cluster;
  await makeNamespace(client, namespace);
  const bindings = path.join(folder, "steer-bindings.yaml");
  const wanted = [bindingOf("ClusterRole", {}), bindingOf("Role", { namespace })];
  writeFileSync(bindings, wanted.map((each) => stringify(each)).join("---\n"));
  const read = readManifests([roles, bindings]);
  if (!read.ok) throw new Error(read.problem);
  for (const { resource, object } of read.manifests) await client.create(resource, object);

  const { certificate, key } = credentials.certificateFor({ commonName: user });
  writeFileSync(path.join(folder, "steer.crt"), certificate, { mode: 0o600 });
  writeFileSync(path.join(folder, "steer.key"), key, { mode: 0o600 });
  const kubeconfig = path.join(folder, "steer.kubeconfig");
  writeFileSync(
    kubeconfig,
    stringify({
      "current-context": "here",
      contexts: [{ name: "here", context: { cluster: "real", user, namespace } }],
      clusters: [{ name: "real", cluster: { server: access.url, "certificate-authority": "ca.crt" } }],
      users: [{ name: user, user: { "client-certificate": "steer.crt", "client-key": "steer.key" } }],
    }),
    { mode: 0o600 },
  );
  const port = await freePort();
  const config = path.join(folder, "steering.yaml");
  writeFileSync(
    config,
    stringify({
      apiVersion: "trimtab.dev/v1alpha1",
      kind: "SteeringConfiguration",
      webhook: { url: `https://127.0.0.1:${port}`, port },
      ...more,
    }),
  );
  return { cluster, kubeconfig, config };
}

function bindingOf(kind: "Role" | "ClusterRole", metadata: object) {
  const apiGroup = "rbac.authorization.k8s.io";
  return {
    apiVersion: `${apiGroup}/v1`,
    kind: `${kind}Binding`,
    metadata: { name: user, ...metadata },
    subjects: [{ kind: "User", name: user, apiGroup }],
    roleRef: { apiGroup, kind, name: user },
  };
}

/** Pickers on this machine, by address: names of Services would need more rights. */
const pickerFlags = (gates: readonly string[]) => [
  `--feature-gates=${["DownscalePodPicker", ...gates].map((gate) => `${gate}=true`).join()}`,
  "--picker-allow=127.0.0.1",
];

/** Starts `trimtab steer`; resolves when the API server knows of its webhooks. */
export async function startSteer(
  { cluster, kubeconfig, config }: SteeredCluster,
  /** Feature gates to be switched on besides that of pickers. */
  gates: readonly string[] = [],
): Promise<TrimtabProgram> {
  const program = await startTrimtab({
    command: "steer",
    kubeconfig,
    flags: ["--config", config, "--log-level", "info", ...pickerFlags(gates)],
    folder: cluster.folder,
  });
  cluster.alsoStop(program);
  await eventually("the webhooks", async () =>
    (await cluster.client.list(mutatingWebhookConfigurations, {})).items.find(
      ({ metadata }) => metadata.name === "trimtab-steer",
    ),
  );
  return program;
}
