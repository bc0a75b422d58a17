import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { isReady } from "../../src/api/pod-state.ts";
import { deployments, nodes, pods } from "../../src/api/resources.ts";
import { HttpsClient } from "../../src/machinery/client/http/https-client.ts";
import { loadKubeconfig } from "../../src/machinery/client/connection/kubeconfig.ts";
import { WallClock } from "../../src/machinery/clock/wall-clock.ts";
import { compiled, temporaryFolder } from "./compiled.ts";

/** Runs `trimtab up` with a data directory, in a process that can be killed; resolves when it is ready. */
async function up(folder: string) {
  const kubeconfig = path.join(folder, "kubeconfig");
  const words = ["up", "--port=0", "--nodes=4", `--kubeconfig=${kubeconfig}`, `--data-dir=${folder}/data`];
  const child = spawn(process.execPath, [compiled("src/cli/main.ts"), ...words], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const exited = once(child, "exit");
  await Promise.race([once(child.stdout, "data"), exited]);
  const loaded = loadKubeconfig({ paths: [kubeconfig] });
  if (!loaded.ok) throw new Error("the kubeconfig cannot be read");
  const client = new HttpsClient({ connection: loaded.connection, clock: new WallClock() });
  const kill = async () => {
    child.kill("SIGKILL");
    await exited;
    await client.close();
  };
  return { client, kill };
}

const at = { namespace: "default", name: "web" };
const labels = { app: "web" };
const template = (version: string) => ({
  metadata: { labels, annotations: { version } },
  spec: { containers: [{ name: "web", image: "nginx" }] },
});

test(
  "a cluster that is killed during every rollout completes the last one, with no Pod and no node too many",
  { timeout: 300_000 },
  async () => {
    const folder = temporaryFolder();
    const first = await up(folder);
    await first.client.create(deployments, {
      metadata: at,
      spec: { replicas: 4, selector: { matchLabels: labels }, template: template("0") },
    });
    await first.kill();
    for (let version = 1; version <= 6; version++) {
      const { client, kill } = await up(folder);
      const spec = { replicas: 2 + (version % 4), template: template(String(version)) };
      await client.patch(deployments, at, { type: "strategic", body: { spec } });
      // In the middle: at least one Pod of the version is there.
      await vi.waitUntil(
        async () =>
          (await client.list(pods, {})).items.some(
            ({ metadata }) => metadata.annotations?.["version"] === String(version),
          ),
        { timeout: 60_000 },
      );
      await kill();
    }
    const { client, kill } = await up(folder);
    await vi.waitFor(
      async () => {
        const { items } = await client.list(pods, {});
        expect(items.map(({ metadata }) => metadata.annotations?.["version"])).toEqual(["6", "6", "6", "6"]);
        expect(items.every(isReady)).toBe(true);
        const { status, metadata } = await client.get(deployments, at);
        expect(status).toMatchObject({
          observedGeneration: metadata.generation,
          replicas: 4,
          updatedReplicas: 4,
          availableReplicas: 4,
        });
      },
      { timeout: 60_000, interval: 200 },
    );
    expect((await client.list(nodes, {})).items).toHaveLength(4);
    await kill();
  },
);
