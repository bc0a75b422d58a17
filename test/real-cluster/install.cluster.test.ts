import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Resource } from "../../src/api/resource.ts";
import {
  deployments,
  events,
  leases,
  pods,
  replicaSets,
  secrets,
  serviceAccounts,
} from "../../src/api/resources.ts";
import { hasMarkAnnotations } from "../../src/decisions/stock/mark.ts";
import {
  mutatingWebhookConfigurations,
  validatingWebhookConfigurations,
} from "../../src/steering/serving/webhook-configuration.ts";
import { type ClientProgram, runClient } from "../clients/client-process.ts";
import type { BuiltTool } from "../clients/tool-cache.ts";
import { buildHelm, programIn } from "../clients/tools.ts";
import { codeBlocks, readPage } from "../docs/markdown.ts";
import { chart } from "../install/render-chart.ts";
import { newestKubectl } from "../kubectl/kubectls.ts";
import { eventually } from "./eventually.ts";
import { freePort } from "./free-port.ts";
import { trimtabPods } from "./pod-processes.ts";
import { type RealCluster, startRealCluster } from "./real-cluster.ts";
import { startScene } from "./scene.ts";

const image = "registry.example/trimtab:0.1.0";
const namespace = "trimtab";
const processes = trimtabPods(image);

let home: string;
let tool: BuiltTool;
let cluster: RealCluster;
beforeAll(async () => {
  home = mkdtempSync(path.join(tmpdir(), "trimtab-helm-"));
  tool = await buildHelm(4);
  cluster = await startRealCluster({ controllers: "all", processes });
  processes.attach(cluster);
}, 1_800_000);
afterAll(async () => {
  await cluster.stop();
  rmSync(home, { recursive: true, force: true });
});

async function helm(program: ClientProgram, words: string): Promise<string> {
  const { code, out, err } = await runClient(program, ...words.split(" "));
  if (code !== 0) throw new Error(`helm ${words} ended with ${code}: ${err}${out}\n${processes.logs()}`);
  return out;
}

test("helm install steers the workloads that ask, beside the stock controllers, and helm uninstall leaves nothing", async ({
  skip,
}) => {
  if ("missing" in tool) return skip(tool.missing);
  const env = { PATH: process.env["PATH"], HOME: home, KUBECONFIG: cluster.kubeconfig };
  const program = { command: [programIn(tool.folder)], env };
  const { client } = cluster;
  const values = [
    `image=${image}`,
    "steer.replicas=1",
    "steer.service.externalName=localhost",
    `steer.port=${await freePort()}`,
  ].join(",");
  const place = `--namespace ${namespace} --wait --timeout 2m`;
  const installed = await helm(
    program,
    `install trimtab ${chart} ${place} --create-namespace --set ${values}`,
  );
  expect(installed).toContain("kubectl annotate deployment NAME trimtab.dev/removal-order=trimtab");
  await eventually("the webhook is registered", async () => {
    const { items } = await client.list(mutatingWebhookConfigurations, {});
    return items.some(({ metadata }) => metadata.name === "trimtab-steer") ? true : undefined;
  });

  const scene = await startScene(cluster, "market", { replicas: 6 });
  await scene.settled(6);
  const at = { namespace: "market", name: "web" };
  const annotations = { "trimtab.dev/removal-order": "trimtab" };
  await client.patch(deployments, at, { type: "merge", body: { metadata: { annotations } } });
  await eventually("the ReplicaSet carries the wish", async () => {
    const { items } = await client.list(replicaSets, { namespace: "market" });
    return items.every(({ metadata }) => metadata.annotations?.["trimtab.dev/removal-order"] === "trimtab")
      ? true
      : undefined;
  });
  const [first, , third] = await scene.pods();
  const labels = { "kubernetes.io/prefer-for-scale-down": "" };
  const named = [first, third].map((pod) => pod?.metadata.name ?? "");
  for (const name of named)
    await client.patch(
      pods,
      { namespace: "market", name },
      { type: "merge", body: { metadata: { labels } } },
    );
  await scene.change({ replicas: 4 });
  await scene.settled(4);
  const left = (await scene.pods()).map(({ metadata }) => metadata.name);
  expect(left.filter((name) => named.includes(name))).toEqual([]);
  const said = await eventually("the event of the decision", async () =>
    (await client.list(events, { namespace: "market" })).items.find(
      ({ reason }) => reason === "ScaleDownSteered",
    ),
  );
  expect(said.message).toContain("preferred");

  await helm(program, `uninstall trimtab ${place}`);
  expect((await client.list(mutatingWebhookConfigurations, {})).items).toEqual([]);
  expect((await client.list(validatingWebhookConfigurations, {})).items).toEqual([]);
  expect((await client.list(pods, {})).items.filter(hasMarkAnnotations)).toEqual([]);
  const namesOf = async (resource: Resource) =>
    (await client.list(resource, { namespace })).items.map((object) => object.metadata.name);
  const names = await Promise.all([secrets, leases, serviceAccounts, deployments].map(namesOf));
  expect(names.flat()).toEqual(["default"]);
  // Nothing asks the webhook any more, and the stock controllers go on as ever.
  await scene.change({ replicas: 2 });
  await scene.settled(2);
});

/** Names, ages and dates, and how many spaces stand between columns, differ between runs. */
const volatile: readonly (readonly [RegExp, string])[] = [
  [/\bweb-[0-9a-z]+-[0-9a-z]{5}\b/g, "POD"],
  [/\bLAST DEPLOYED: .*/g, "LAST DEPLOYED: …"],
  [/\b\d+m?s\b/g, "AGE"],
  [/ {2,}/g, "  "],
];
const masked = (text: string) => volatile.reduce((rest, [what, word]) => rest.replaceAll(what, word), text);

test("the session in docs/your-cluster.md prints what the page says", async ({ skip }) => {
  const [kubectl] = newestKubectl();
  if ("missing" in tool) return skip(tool.missing);
  if (kubectl === undefined) return skip("skipped: no kubectl here");
  symlinkSync(programIn(tool.folder), path.join(home, "helm"));
  symlinkSync(kubectl.program, path.join(home, "kubectl"));
  const env = { PATH: `${home}:${process.env["PATH"]}`, HOME: home, KUBECONFIG: cluster.kubeconfig };
  const shell: ClientProgram = { command: ["sh", "-c"], env };
  // What keeps all of it on this machine.
  const local = `--set steer.replicas=1,steer.service.externalName=localhost,steer.port=${await freePort()}`;
  const repository = fileURLToPath(new URL("../..", import.meta.url));
  const session =
    codeBlocks(readPage("docs/your-cluster.md")).find(({ text }) => text.startsWith("$ "))?.text ?? "";
  const said: string[] = [];
  for (const [, command = ""] of session.matchAll(/^\$ (.*)$/gm)) {
    const typed = command
      .replace("deploy/helm", `${repository}deploy/helm`)
      .replace(/(?<=--set .*)$/, ` ${local}`);
    const { out, err } = await runClient(shell, typed);
    said.push(`$ ${command}\n${out}${err}`);
  }
  expect(masked(said.join(""))).toBe(masked(session));
});
