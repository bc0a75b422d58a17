// The pod picker of a website: its Pods stay evenly distributed over the regions.
import process from "node:process";
import { CoreV1Api, KubeConfig } from "@kubernetes/client-node";
import { createPicker } from "trimtab/picker";
import { type PlacedPod, removable } from "./regions.mjs";

const config = new KubeConfig();
config.loadFromDefault(); // in a Pod: its ServiceAccount
const core = config.makeApiClient(CoreV1Api);

/** The Pods of the website, each with the region of its node. */
async function placedPods(namespace: string): Promise<PlacedPod[]> {
  const [pods, nodes] = await Promise.all([
    core.listNamespacedPod({ namespace, labelSelector: "app=web" }),
    core.listNode(),
  ]);
  const regionOf = new Map(
    nodes.items.map(({ metadata }) => [metadata?.name, metadata?.labels?.["topology.kubernetes.io/region"]]),
  );
  return pods.items.map(({ metadata, spec }) => ({
    name: metadata?.name ?? "",
    region: regionOf.get(spec?.nodeName) ?? "",
    createdAt: metadata?.creationTimestamp?.getTime() ?? 0,
  }));
}

const picker = createPicker({
  async pick({ requested, candidates, namespace = "default", only }) {
    const pods = await placedPods(namespace);
    const asked = new Set<string>(candidates);
    const ours = pods.filter(({ name }) => asked.has(name));
    return { chosen: only(removable(ours, requested)) };
  },
  token: process.env["TOKEN"] ?? "",
  tokenHeader: "x-picker-token",
  timeoutMs: 9000, // less than timeoutSeconds in manifests.yaml
});

const { HOST: host = "::", PORT: port = "8443" } = process.env;
const { TLS_CERT_FILE: certificateFile = "", TLS_KEY_FILE: keyFile = "" } = process.env;
const { url = "" } = await picker.listen({ host, httpPort: Number(port), tls: { certificateFile, keyFile } });
console.log(`listening on ${new URL(url).port}`);
process.once("SIGTERM", () => void picker.stop());
