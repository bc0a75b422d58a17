import { execFile, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { pods } from "../../src/api/resources.ts";
import { kubeconfigText } from "../../src/cluster/write-kubeconfig.ts";
import { type EmbeddedCluster, makeNamespace, startEmbedded } from "../embedded-cluster.ts";

const run = promisify(execFile);
const source = fileURLToPath(new URL("client-go", import.meta.url));

/** Errors of a machine without a Go that is new enough, or without its modules: the test is skipped there. */
const unavailable =
  /ENOENT|requires go >=|toolchain not available|dial tcp|i\/o timeout|module lookup disabled/;

let folder: string;
let cluster: EmbeddedCluster;
let missing: string | undefined;
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "trimtab-informer-"));
  cluster = await startEmbedded();
  writeFileSync(path.join(folder, "kubeconfig"), kubeconfigText(cluster.access), { mode: 0o600 });
  await run("go", ["build", "-o", path.join(folder, "informer"), "."], { cwd: source }).catch(
    (error: unknown) => {
      if (!(error instanceof Error) || !unavailable.test(error.message)) throw error;
      missing = `no client-go: ${error.message}`;
    },
  );
}, 1_800_000); // it may have to compile client-go
afterAll(async () => {
  await cluster.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Starts the informer for a namespace; it runs until the test ends. */
function follow(namespace: string, streams: boolean) {
  const env = { ...process.env, KUBE_FEATURE_WatchListClient: String(streams) };
  const child = spawn(path.join(folder, "informer"), [path.join(folder, "kubeconfig"), namespace], { env });
  onTestFinished(() => void child.kill());
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => (said += text));
  return (wanted: string) =>
    new Promise<string>((resolve, reject) => {
      // A line may arrive in parts.
      const look = () => {
        const lines = said.slice(0, said.lastIndexOf("\n") + 1);
        if (lines.includes(wanted)) resolve(lines);
      };
      child.stdout.on("data", look);
      child.once("close", () => reject(new Error(`it ended without ${wanted}: ${said}`)));
      look();
    });
}

const waiting = (name: string, namespace: string) => ({
  metadata: { name, namespace },
  spec: { schedulerName: "nobody", containers: [{ name: "web", image: "web" }] },
});

test.for([
  { name: "streamed", streams: true },
  { name: "listed, then watched", streams: false },
])(
  "an informer of client-go sees what is there, $name, and what comes and goes",
  async ({ streams }, { skip }) => {
    if (missing !== undefined) skip(missing);
    const namespace = streams ? "streaming" : "listing";
    await makeNamespace(cluster.client, namespace);
    for (const name of ["one", "two"]) await cluster.client.create(pods, waiting(name, namespace));
    const says = follow(namespace, streams);
    expect(await says("synced")).toContain("synced 2\n");
    await cluster.client.create(pods, waiting("three", namespace));
    await says("added three\n");
    await cluster.client.delete(pods, { namespace, name: "one" });
    await says("deleted one\n");
  },
);
