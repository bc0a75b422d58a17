import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { deployments, nodes } from "../../src/api/resources.ts";
import { allCommands } from "../../src/cli/commands.ts";
import { runCommand } from "../../src/cli/run-command.ts";
import { HttpsClient } from "../../src/machinery/client/http/https-client.ts";
import { loadKubeconfig } from "../../src/machinery/client/connection/kubeconfig.ts";
import { WallClock } from "../../src/machinery/clock/wall-clock.ts";
import { freePort } from "../real-cluster/free-port.ts";

const commands = await allCommands();

function newFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "trimtab-data-dir-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Types `trimtab up --data-dir …`; resolves when it is ready or has ended. */
async function up(folder: string, ...words: readonly string[]) {
  const interrupt = new AbortController();
  const err: string[] = [];
  let ready = () => {};
  const isReady = new Promise<void>((resolve) => (ready = resolve));
  const kubeconfig = path.join(folder, "kubeconfig");
  const fixed = ["up", "--nodes=2", `--data-dir=${path.join(folder, "data")}`, `--kubeconfig=${kubeconfig}`];
  const code = runCommand(commands, [...fixed, ...words], {
    out: () => ready(),
    err: (text) => err.push(text),
    interrupted: interrupt.signal,
  });
  const stop = () => {
    interrupt.abort(new Error("SIGINT"));
    return code;
  };
  onTestFinished(async () => void (await stop()));
  await Promise.race([isReady, code]);
  return { code, err, stop, kubeconfig };
}

function clientOf(kubeconfig: string): HttpsClient {
  const loaded = loadKubeconfig({ paths: [kubeconfig] });
  if (!loaded.ok) throw new Error("the kubeconfig cannot be read");
  const client = new HttpsClient({ connection: loaded.connection, clock: new WallClock() });
  onTestFinished(() => client.close());
  return client;
}

const shop = `apiVersion: apps/v1
kind: Deployment
metadata: {name: shop}
spec:
  replicas: 0
  podReplacementPolicy: TerminationComplete
  selector: {matchLabels: {app: shop}}
  template: {metadata: {labels: {app: shop}}, spec: {containers: [{name: shop, image: shop}]}}
`;
const at = { namespace: "default", name: "shop" };

test("a cluster with a data directory goes on where it was, for clients with a kubeconfig of before", async () => {
  const folder = newFolder();
  const manifest = path.join(folder, "shop.yaml");
  writeFileSync(manifest, shop);
  const port = await freePort(); // one that nothing takes while the cluster is down
  const first = await up(folder, `--port=${port}`, manifest);
  const saved = path.join(folder, "saved");
  writeFileSync(saved, readFileSync(first.kubeconfig));
  const { metadata } = await clientOf(saved).get(deployments, at);
  expect(await first.stop()).toBe(0);
  expect(existsSync(first.kubeconfig)).toBe(false);

  const off = ["--feature-gates=DeploymentPodReplacementPolicy=false", `--port=${port}`];
  const second = await up(folder, ...off, manifest);
  expect(second.err).toEqual([]);
  const client = clientOf(saved);
  const kept = await client.get(deployments, at);
  expect(kept.metadata.uid).toBe(metadata.uid);
  expect(kept.spec.podReplacementPolicy).toBe("TerminationComplete");
  expect((await client.list(nodes, {})).items).toHaveLength(2);

  const third = await up(folder, "--port=0");
  expect(await third.code).toBe(1);
  expect(third.err).toEqual([
    `trimtab up: cannot use the data directory ${folder}/data: this process (${process.pid}) has it open already`,
  ]);
});

test.for([
  {
    name: "a file",
    flags: (folder: string) => [`--data-dir=${path.join(folder, "file")}`],
    want: "not a directory",
  },
  {
    name: "a foreign folder",
    flags: (folder: string) => [`--data-dir=${folder}`],
    want: "it has other files",
  },
  { name: "no folder", flags: () => ["--data-dir="], want: "--data-dir must name a folder" },
  {
    name: "an unknown component",
    flags: () => ["--component-feature-gates=etcd:PodDeletionCost=false"],
    want: "must begin with one of api-server",
  },
])("$name is refused with a sentence", async ({ flags, want }) => {
  const folder = newFolder();
  writeFileSync(path.join(folder, "file"), "text");
  const { code, err } = await up(folder, ...flags(folder));
  expect(await code).toBe(1);
  expect(err).toEqual([expect.stringContaining(want)]);
  expect(readFileSync(path.join(folder, "file"), "utf8")).toBe("text");
});
