import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { deletionCostAnnotation } from "../../src/api/deletion-cost.ts";
import type { Deployment } from "../../src/api/generated/apps-v1.ts";
import { deployments, pods } from "../../src/api/resources.ts";
import { kubeconfigText } from "../../src/cluster/write-kubeconfig.ts";
import type { ScaleDownExplanation } from "../../src/decisions/explain/explain-scale-down.ts";
import { commandFolder, seen } from "../command-program.ts";
import { type EmbeddedCluster, startEmbedded } from "../embedded-cluster.ts";
import { newestKubectl } from "../kubectl/kubectls.ts";
import { openShell } from "../kubectl/shell.ts";
import { startHttpPicker } from "../picker/http-picker.ts";
import { typed } from "../cli/type-command.ts";

let cluster: EmbeddedCluster;
let folder: ReturnType<typeof commandFolder>;
beforeAll(async () => {
  cluster = await startEmbedded();
  folder = commandFolder(cluster.access);
}, 60_000);
afterAll(async () => {
  folder?.remove();
  await cluster?.stop();
});

const explain = (...words: readonly string[]) =>
  typed("explain", ...words, `--kubeconfig=${folder.kubeconfig}`);

const [kubectl] = newestKubectl();

describe.skipIf(kubectl === undefined)("trimtab explain over HTTPS, with objects that kubectl made", () => {
  beforeAll(async () => {
    if (kubectl === undefined) return;
    const shell = openShell(kubectl, kubeconfigText(cluster.access));
    try {
      const { err } = await shell.run("create deployment web --image=registry.example/app:1 --replicas=5");
      expect(err).toBe("");
    } finally {
      shell.close();
    }
    await seen(cluster.client, deployments, {
      name: "web",
      is: ({ status }) => status?.availableReplicas === 5,
    });
  }, 60_000);

  test("tells who goes, and those go", async () => {
    const names = (await cluster.client.list(pods, { namespace: "default" })).items
      .filter(({ metadata }) => metadata.labels?.["app"] === "web")
      .map(({ metadata }) => metadata.name);
    // Otherwise ages would decide, which are others by the time the Deployment is scaled.
    for (const [cost, name] of names.toSorted().entries()) {
      const annotations = { [deletionCostAnnotation]: String(cost) };
      const body = { metadata: { annotations } };
      await cluster.client.patch(pods, { namespace: "default", name }, { type: "merge", body });
    }
    const { code, out } = await explain("scale-down", "deploy/web", "--replicas=3", "-o", "json");
    expect(code).toBe(0);
    const told = JSON.parse(out) as ScaleDownExplanation;
    expect(told.decidedBy).toMatchObject({ profile: "trimtab", how: "found" });
    const going = told.owners[0]?.candidates.filter(({ verdict }) => verdict === "goes") ?? [];
    expect(going.map(({ pod }) => pod)).toEqual(names.toSorted().slice(0, 2));

    const scaled = { type: "merge", body: { spec: { replicas: 3 } } } as const;
    await cluster.client.patch(deployments, { namespace: "default", name: "web" }, scaled);
    await seen(cluster.client, deployments, { name: "web", is: ({ status }) => status?.replicas === 3 });
    const { items } = await cluster.client.list(pods, { namespace: "default" });
    const left = items.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    const gone = new Set(going.map(({ pod }) => pod));
    expect(left.filter(({ metadata }) => gone.has(metadata.name))).toEqual([]);
  });

  test("tells where the next Pod lands, and what the rollout waits for, in all formats", async () => {
    const placement = await explain("placement", "deploy/web");
    expect(placement).toMatchObject({ code: 0, err: "" });
    expect(placement.out).toMatch(/^The next Pod default\/web-\S+ would go to /);
    expect(placement.out).toContain("with the configuration that the cluster says it has");
    const rollout = await explain("rollout", "deployment", "web", "-o", "yaml");
    expect(rollout).toMatchObject({ code: 0, err: "" });
    expect(rollout.out).toMatch(/^kind: RolloutExplanation$/m);
    const wide = await explain("scale-down", "web", "--replicas=1", "-o", "wide", "--as=kubernetes-1.36");
    expect(wide.out).toContain("profile kubernetes-1.36");
  });

  test("tells where a Pod of a file would land, and what is wrong with the file", async () => {
    const file = folder.write(
      "pod.yaml",
      "apiVersion: v1\nkind: Pod\nmetadata: { name: big }\nspec: { containers: [{ name: a, image: b, resources: { requests: { cpu: 1000 } } }] }\n",
    );
    const { out } = await explain("placement", "-f", file);
    expect(out).toContain(
      "A new Pod default/big would find no node: 0/12 nodes are available: 12 Insufficient cpu.",
    );
    const wrong = folder.write("wrong.yaml", "apiVersion: v1\nkind: Service\nmetadata: { name: web }\n");
    expect(await explain("placement", "-f", wrong)).toMatchObject({
      code: 1,
      err: `trimtab explain: ${wrong}: one Pod is needed, and nothing else`,
    });
  });
});

test("A picker is asked only with --ask-picker, and then decides", async () => {
  const picker = await startHttpPicker(({ candidates }) => ({
    does: "answer",
    chosen: candidates.slice(-1),
  }));
  try {
    const labels = { app: "picked" };
    await cluster.client.create(deployments, {
      metadata: { name: "picked", namespace: "default" },
      spec: {
        replicas: 3,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: { containers: [{ name: "app", image: "registry.example/app:1" }] },
        },
        // The default of a second is too short for a busy machine.
        downscalePodPicker: {
          http: { host: "127.0.0.1", port: picker.port, scheme: "HTTP" },
          timeoutSeconds: 30,
        },
      },
    });
    const isAvailable = ({ status }: Deployment) => status?.availableReplicas === 3;
    await seen(cluster.client, deployments, { name: "picked", is: isAvailable });
    const told = await explain("scale-down", "picked", "--replicas=2");
    expect(told.out).toContain("Its pod picker would be asked to choose 1 of 3 Pods");
    expect(picker.received).toHaveLength(0);

    const { out } = await explain("scale-down", "picked", "--replicas=2", "--ask-picker", "-o", "json");
    const chosen = picker.received[0]?.candidates.at(-1);
    expect((JSON.parse(out) as ScaleDownExplanation).owners[0]).toMatchObject({
      candidates: [{ pod: chosen, verdict: "goes" }, { verdict: "stays" }, { verdict: "stays" }],
      pickers: [{ requested: 1, answer: { outcome: `it chose ${chosen}` } }],
    });
  } finally {
    await picker.close();
  }
});

test("An unknown object gets the nearest names", async () => {
  expect(await explain("rollout", "wbe", "-n", "nowhere")).toEqual({
    code: 1,
    out: "",
    err: "trimtab explain: there is no Deployment wbe in namespace nowhere, which has none",
  });
});

test("A server that is not there is one sentence", async () => {
  const text = kubeconfigText({ ...cluster.access, url: "https://127.0.0.1:1" });
  const { code, err } = await typed(
    "explain",
    "rollout",
    "web",
    `--kubeconfig=${folder.write("gone", text)}`,
  );
  expect(code).toBe(1);
  expect(err).toMatch(
    /^trimtab explain: https:\/\/127\.0\.0\.1:1: GET \S+: connect ECONNREFUSED 127\.0\.0\.1:1$/,
  );
});
