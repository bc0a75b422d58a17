import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { Agent, request } from "undici";
import { expect, onTestFinished, test } from "vitest";
import { parseAllDocuments } from "yaml";
import type { DaemonSet } from "../../src/api/generated/apps-v1.ts";
import { allCommands } from "../../src/cli/commands.ts";
import {
  controllersFlags,
  readControllersSettings,
} from "../../src/cli/control-plane/controllers-settings.ts";
import { readManifests } from "../../src/cli/read-manifests.ts";
import { runCommand } from "../../src/cli/run-command.ts";
import { kubeconfigText } from "../../src/cluster/write-kubeconfig.ts";
import { VirtualClock } from "../../src/machinery/clock/virtual-clock.ts";
import { ownCertificate } from "../../src/machinery/https-server/serving-certificate.ts";
import { seededRandom } from "../../src/machinery/random/random.ts";
import { allComponentsExcept } from "../../src/testing/test-cluster.ts";
import { workloadControllerNames } from "../deployment/fixture.ts";
import { startEmbedded } from "../embedded-cluster.ts";

const commands = await allCommands();

function newFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "trimtab-bind-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** A cluster whose controllers run in a Pod, as it were: at an address, for others. */
async function startBound(...words: readonly string[]) {
  const cluster = await startEmbedded({ components: allComponentsExcept(...workloadControllerNames) });
  const kubeconfig = path.join(newFolder(), "kubeconfig");
  writeFileSync(kubeconfig, kubeconfigText(cluster.access));
  const interrupt = new AbortController();
  const err: string[] = [];
  let ended: Promise<number> = Promise.resolve(0);
  const url = await new Promise<string>((resolve) => {
    const out = (text: string) => resolve(/decisions: (\S+)/.exec(text)?.[1] ?? "");
    const terminal = { out, err: (text: string) => void err.push(text), interrupted: interrupt.signal };
    const flags = ["--kubeconfig", kubeconfig, "--port=0", "--no-lease", "--log-level=error", ...words];
    ended = runCommand(commands, ["controllers", "--bind=127.0.0.1", ...flags], terminal);
    void ended.then(() => resolve(""));
  });
  const dispatcher = new Agent({ connect: { rejectUnauthorized: false } });
  onTestFinished(async () => {
    interrupt.abort(new Error("enough"));
    await ended;
    await dispatcher.close();
    await cluster.stop();
  });
  const ask = async (page: string, token?: string) => {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const { statusCode, body } = await request(`${url}${page}`, { dispatcher, headers });
    return `${statusCode} ${(await body.text()).split("\n")[0] ?? ""}`;
  };
  return { cluster, url, ask, err };
}

test("in a Pod, probes see health, and whom the API server allows sees metrics and decisions", async () => {
  const { cluster, url, ask, err } = await startBound();
  const { token } = cluster.access;
  expect(url).toMatch(/^https:/);
  expect(await ask("/livez")).toBe("200 ok");
  expect(await ask("/readyz")).toMatch(/^(200 ok|500 )/);
  expect(await ask("/metrics")).toBe("401 Unauthorized");
  expect(await ask("/metrics", "guess")).toBe("401 Unauthorized");
  expect(await ask("/debug/decisions")).toBe("401 Unauthorized");
  expect(await ask("/metrics", token)).toMatch(/^200 # HELP/);
  expect(await ask("/debug/decisions?name=web", token)).toMatch(/^200 \{/);

  await cluster.access.close();
  expect(await ask("/metrics", "another")).toBe(
    "503 the API server does not answer whether this request is allowed",
  );
  expect(await ask("/livez")).toBe("200 ok");
  expect(err).toEqual([]);
});

test("a certificate and its key may be given as files, and what is wrong with them is one sentence", async () => {
  const folder = newFolder();
  const certificateFile = path.join(folder, "tls.crt");
  const keyFile = path.join(folder, "tls.key");
  const { certificate, key } = ownCertificate({
    clock: new VirtualClock(),
    random: seededRandom("given"),
  });
  const flags = [`--tls-cert-file=${certificateFile}`, `--tls-private-key-file=${keyFile}`];
  writeFileSync(certificateFile, certificate);

  expect((await startBound(...flags)).err).toEqual([`trimtab controllers: ${keyFile}: no such file`]);
  writeFileSync(keyFile, "no key");
  const [problem] = (await startBound(...flags)).err;
  expect(problem).toContain(`${certificateFile} and ${keyFile} are not a certificate and its key`);
  writeFileSync(keyFile, key);
  const { ask, err } = await startBound(...flags);
  expect(await ask("/livez")).toBe("200 ok");
  expect(err).toEqual([]);
});

const deployed = (file: string) => fileURLToPath(new URL(`../../deploy/${file}`, import.meta.url));

test("an API server takes the manifests in deploy/, and the program the arguments in them", async () => {
  const { client, stop } = await startEmbedded({ components: [] });
  onTestFinished(stop);
  const read = readManifests([deployed("controllers.yaml"), deployed("cluster-role.yaml")]);
  if (!read.ok) throw new Error(read.problem);
  for (const { resource, object } of read.manifests) await client.create(resource, object);

  const documents = parseAllDocuments(readFileSync(deployed("controllers.yaml"), "utf8"));
  const daemonSet = documents.at(-1)?.toJS() as DaemonSet | undefined;
  const [command, ...words] = daemonSet?.spec.template.spec?.containers[0]?.args ?? [];
  expect(command).toBe("controllers");
  const given = words.map((word) => word.replace(/^--/, "").split("="));
  const flags = Object.entries(controllersFlags).map(([name, flag]) => [name, flag.default]);
  const settings = readControllersSettings({
    flags: Object.fromEntries([...flags, ...given]),
    arguments: [],
  });
  expect(settings).toMatchObject({ serving: { address: "0.0.0.0" }, port: 10_280 });
});
