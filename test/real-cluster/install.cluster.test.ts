import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import type { Resource } from "../../src/api/resource.ts";
import {
  deployments,
  events,
  leases,
  namespaces,
  podDisruptionBudgets,
  pods,
  replicaSets,
  secrets,
  serviceAccounts,
} from "../../src/api/resources.ts";
import {
  createCertificateAuthority,
  issueCertificate,
} from "../../src/machinery/certificates/certificate.ts";
import { WallClock } from "../../src/machinery/clock/wall-clock.ts";
import { systemRandom } from "../../src/machinery/random/system-random.ts";
import { hasMarkAnnotations } from "../../src/decisions/stock/mark.ts";
import {
  mutatingWebhookConfigurations,
  validatingWebhookConfigurations,
} from "../../src/steering/serving/webhook-configuration.ts";
import { type ClientProgram, runClient } from "../clients/client-process.ts";
import type { BuiltTool } from "../clients/tool-cache.ts";
import { buildHelm, programIn } from "../clients/tools.ts";
import { codeBlocks, readPage } from "../docs/markdown.ts";
import { installManifests } from "../../src/cli/install/install-manifests.ts";
import type { PodSpec } from "../../src/api/generated/core-v1.ts";
import type { JsonObject } from "../../src/api/json.ts";
import { chart, objectsIn } from "../install/render-chart.ts";
import { newestKubectl } from "../kubectl/kubectls.ts";
import { makeNamespace } from "../embedded-cluster.ts";
import { changePods } from "./change-pods.ts";
import { eventually } from "./eventually.ts";
import { freePort } from "./free-port.ts";
import { trimtabPods } from "./pod-processes.ts";
import { type RealCluster, startRealCluster } from "./real-cluster.ts";
import { type Scene, startScene } from "./scene.ts";
import { serveBackends } from "./service-stand-in.ts";

const image = "registry.example/trimtab:0.1.0";
/** Only admission is of interest: Pods of `image` are run as processes, which other tests count. */
const otherImage = "registry.example/idle:0.1.0";
const namespace = "trimtab";
const processes = trimtabPods(image);

let home: string;
let tool: BuiltTool;
let cluster: RealCluster;
beforeAll(async () => {
  home = mkdtempSync(path.join(tmpdir(), "trimtab-helm-"));
  tool = await buildHelm(4);
  cluster = await startRealCluster({ controllers: "all", scheduler: true, processes });
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

const secret = "from-cert-manager";

/** Does what cert-manager would: makes the Secret that the chart is told of. Returns the authority of its certificate. */
async function makeCertificate(): Promise<string> {
  const clock = new WallClock();
  const random = systemRandom();
  const authority = createCertificateAuthority(clock.now(), random);
  const { certificate, key } = issueCertificate(authority, {
    subject: { commonName: "trimtab-steer" },
    use: "server",
    hosts: [`trimtab-steer.${namespace}.svc`],
    now: clock.now(),
    random,
  });
  const files = { "tls.crt": certificate, "tls.key": key, "ca.crt": authority.certificate };
  const data = Object.fromEntries(
    Object.entries(files).map(([name, text]) => [name, Buffer.from(text).toString("base64")]),
  );
  await makeNamespace(cluster.client, namespace);
  await cluster.client.create(secrets, {
    metadata: { namespace, name: secret },
    type: "kubernetes.io/tls",
    data,
  });
  return authority.certificate;
}

/** A port of which 127.0.0.1 is the Service and every Pod has its own. */
async function startService() {
  const port = await freePort();
  const service = await serveBackends(port, processes.ready);
  onTestFinished(service.stop);
  return { port, ...service };
}

test.for(["steer", "controllers", "scheduler"] as const)(
  "the Pods of trimtab %s are admitted where Pod security is restricted",
  async (program) => {
    const restricted = `restricted-${program}`;
    await cluster.client.create(namespaces, {
      metadata: { name: restricted, labels: { "pod-security.kubernetes.io/enforce": "restricted" } },
      spec: {},
    });
    await eventually("the namespace has its service account", async () => {
      const { items } = await cluster.client.list(serviceAccounts, { namespace: restricted });
      return items[0];
    });
    const printed = objectsIn(
      installManifests({ program, pickers: [], image: otherImage, namespace: restricted }),
    );
    const owner = [...printed.values()].find(({ kind }) => kind === "Deployment" || kind === "DaemonSet");
    if (owner === undefined) throw new Error("nothing that has Pods is printed");
    const { template } = owner["spec"] as { template: { spec: JsonObject } };
    const { serviceAccountName: _own, priorityClassName: _critical, ...spec } = template.spec;
    const pod = await cluster.client.create(pods, {
      metadata: { namespace: restricted, name: program },
      spec: spec as unknown as PodSpec,
    });
    expect(pod.metadata.uid).toBeDefined();
    const { securityContext: _none, ...open } = (spec["containers"] as JsonObject[])[0] ?? {};
    await expect(
      cluster.client.create(pods, {
        metadata: { namespace: restricted, name: `${program}-open` },
        spec: { ...spec, containers: [open] } as unknown as PodSpec,
      }),
    ).rejects.toThrow("violates PodSecurity");
  },
);

const networkPolicies: Resource = {
  group: "networking.k8s.io",
  version: "v1",
  kind: "NetworkPolicy",
  plural: "networkpolicies",
  namespaced: true,
};

async function namesOf(resource: Resource): Promise<readonly string[]> {
  const { items } = await cluster.client.list(resource, { namespace });
  return items.map(({ metadata }) => metadata.name);
}

/** Labels two Pods of the scene, scales it down by two, and expects that it was them. */
async function steerTwo(scene: Scene, replicas: number): Promise<void> {
  const [first, , third] = (await scene.pods()).map(({ metadata }) => metadata.name);
  const named = [first ?? "", third ?? ""];
  const labels = { "kubernetes.io/prefer-for-scale-down": "" };
  await changePods(cluster.client, { namespace: scene.namespace, names: named }, { labels });
  await scene.change({ replicas });
  await scene.settled(replicas);
  const left = (await scene.pods()).map(({ metadata }) => metadata.name);
  expect(left.filter((name) => named.includes(name))).toEqual([]);
}

test("helm install steers the workloads that ask, with two copies beside the stock controllers and a certificate of others, and helm uninstall leaves nothing", async ({
  skip,
}) => {
  if ("missing" in tool) return skip(tool.missing);
  const env = { PATH: process.env["PATH"], HOME: home, KUBECONFIG: cluster.kubeconfig };
  const program = { command: [programIn(tool.folder)], env };
  const { client } = cluster;
  const service = await startService();
  const authority = await makeCertificate();
  const values = [
    `image=${image}`,
    "steer.replicas=2",
    "steer.service.externalName=localhost",
    `steer.port=${service.port}`,
    `steer.certificate.secret=${secret}`,
    "networkPolicy.enabled=true",
    "podDisruptionBudget.enabled=true",
  ].join(",");
  const place = `--namespace ${namespace} --wait --timeout 5m`;
  const installed = await helm(program, `install trimtab ${chart} ${place} --set ${values}`);
  expect(installed).toContain("kubectl annotate deployment NAME trimtab.dev/removal-order=trimtab");
  expect(await namesOf(networkPolicies)).toEqual(["trimtab-steer"]);
  expect(await namesOf(podDisruptionBudgets)).toEqual(["trimtab-steer"]);
  const { webhooks } = await eventually("the webhook is registered", async () => {
    const { items } = await client.list(mutatingWebhookConfigurations, {});
    return items.find(({ metadata }) => metadata.name === "trimtab-steer");
  });
  expect(webhooks?.[0]?.clientConfig.caBundle).toBe(Buffer.from(authority).toString("base64"));

  const scene = await startScene(cluster, "market", { replicas: 8 });
  await scene.settled(8);
  const at = { namespace: "market", name: "web" };
  const annotations = { "trimtab.dev/removal-order": "trimtab" };
  await client.patch(deployments, at, { type: "merge", body: { metadata: { annotations } } });
  await eventually("the ReplicaSet carries the wish", async () => {
    const { items } = await client.list(replicaSets, { namespace: "market" });
    return items.every(({ metadata }) => metadata.annotations?.["trimtab.dev/removal-order"] === "trimtab")
      ? true
      : undefined;
  });
  await steerTwo(scene, 6);
  await steerTwo(scene, 4);
  // Both copies have answered; one of them is enough.
  expect(service.given.size).toBe(2);
  const [copy] = (await client.list(pods, { namespace })).items;
  await client.delete(pods, { namespace, name: copy?.metadata.name ?? "" });
  await eventually("the copy is gone", async () => (processes.ready().length < 2 ? true : undefined));
  await steerTwo(scene, 2);
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
  const kinds = [secrets, leases, serviceAccounts, deployments, podDisruptionBudgets, networkPolicies];
  expect((await Promise.all(kinds.map(namesOf))).flat()).toEqual([secret, "default"]);
  // Nothing asks the webhook any more, and the stock controllers go on as ever.
  await scene.change({ replicas: 1 });
  await scene.settled(1);
});

test("helm install runs a second scheduler, which places the Pods that name it, and helm uninstall leaves nothing", async ({
  skip,
}) => {
  if ("missing" in tool) return skip(tool.missing);
  const env = { PATH: process.env["PATH"], HOME: home, KUBECONFIG: cluster.kubeconfig };
  const program = { command: [programIn(tool.folder)], env };
  const place = `--namespace scheduling --create-namespace --wait --timeout 5m`;
  const values = [`image=${image}`, "steer.enabled=false", "scheduler.enabled=true"].join(",");
  const installed = await helm(program, `install trimtab ${chart} ${place} --set ${values}`);
  expect(installed).toContain("The scheduler places the Pods that name it");
  const template = { spec: { template: { spec: { schedulerName: "trimtab" } } } };
  const scene = await startScene(cluster, "placed-by-trimtab", { replicas: 3 });
  await scene.change(template.spec);
  await scene.settled(3);
  const leader = await cluster.client.get(leases, { namespace: "scheduling", name: "trimtab-scheduler" });
  expect(leader.spec.holderIdentity).toMatch(/./);
  const schedulers = (await scene.pods()).map(({ spec }) => spec.schedulerName);
  expect(new Set(schedulers)).toEqual(new Set(["trimtab"]));
  await helm(program, `uninstall trimtab ${place.replace(" --create-namespace", "")}`);
  const left = await Promise.all(
    [leases, serviceAccounts, deployments].map((kind: Resource) =>
      cluster.client.list(kind, { namespace: "scheduling" }),
    ),
  );
  expect(left.flatMap(({ items }) => items.map(({ metadata }) => metadata.name))).toEqual(["default"]);
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
  const { port } = await startService();
  const local = `--set steer.service.externalName=localhost,steer.port=${port}`;
  const repository = fileURLToPath(new URL("../..", import.meta.url));
  const session =
    codeBlocks(readPage("docs/your-cluster.md")).find(({ text }) => text.startsWith("$ "))?.text ?? "";
  const said: string[] = [];
  for (const [, command = ""] of session.matchAll(/^\$ (.*)$/gm)) {
    const typed = command
      .replace("deploy/helm", `${repository}deploy/helm`)
      .replace(/(?<=--set .*)$/, ` ${local}`);
    const { out, err } = await eventually(typed, async () => {
      const ended = await runClient(shell, typed);
      // An event is written in the background: what is looked for may come a moment later.
      return typed.includes("| grep ") && ended.out === "" ? undefined : ended;
    });
    said.push(`$ ${command}\n${out}${err}`);
  }
  expect(masked(said.join(""))).toBe(masked(session));
});
