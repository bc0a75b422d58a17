import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import type { DownscalePodPicker } from "../../../src/api/generated/apps-v1.ts";
import { deployments, events, pods, replicaSets } from "../../../src/api/resources.ts";
import { endpointAnnotation } from "../../../src/api/well-known.ts";
import { picker as pickerCommand } from "../../../src/cli/commands/picker.ts";
import { runCommand } from "../../../src/cli/run-command.ts";
import { type EmbeddedCluster, startEmbedded } from "../../embedded-cluster.ts";
import { commandFolder, seen } from "../../command-program.ts";
import { buildPrometheus, programIn } from "../../clients/tools.ts";
import { request } from "undici";
import { startPrometheus } from "./prometheus-server.ts";
import { startServer } from "./served.ts";

let cluster: EmbeddedCluster;
beforeAll(async () => {
  cluster = await startEmbedded({ gates: { PodRemovalProtection: true } });
});
afterAll(() => cluster.stop());

const replicas = 5;

/** A Deployment whose Pods are simulated, with a server on this machine for each; the third and the fifth are busy. */
async function startWorkload(name: string) {
  const { client } = cluster;
  const labels = { app: name };
  await client.create(deployments, {
    metadata: { namespace: "default", name, labels },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: "app", image: "registry.example/app:1" }] },
      },
    },
  });
  await seen(client, deployments, { name, is: ({ status }) => status?.readyReplicas === replicas });
  const names = await podsOf(name);
  const servers = await Promise.all(
    names.map(async (pod, index) => {
      const busy = index === 2 || index === 4 ? 3 + index : 0;
      const server = await startServer((_, response) => {
        response.setHeader("content-type", "text/plain; version=0.0.4").end(`active_tasks ${busy}\n`);
      });
      const host = new URL(server.url).host;
      const annotations = { [endpointAnnotation]: host };
      const body = { metadata: { annotations } };
      await client.patch(pods, { namespace: "default", name: pod }, { type: "merge", body });
      return { target: host, labels: { pod, namespace: "default" } };
    }),
  );
  return { names, busy: [names[2] ?? "", names[4] ?? ""], servers };
}

/** The Pods of a Deployment that are not being deleted, by name. */
async function podsOf(name: string): Promise<readonly string[]> {
  const { items } = await cluster.client.list(pods, { namespace: "default", labelSelector: `app=${name}` });
  return items
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    .map(({ metadata }) => metadata.name)
    .toSorted();
}

function configuration(name: string, score: string): string {
  return `
apiVersion: trimtab.dev/v1alpha1
kind: PickerConfiguration
serving: { host: 127.0.0.1, port: 0 }
pickers:
  - name: ${name}
    workload: { namespace: default, name: ${name} }
    score: ${score}
    protect: "> 0"
    timeout: 20s
`;
}

/** Types `trimtab picker serve`; what it prints, and its end. */
function typeServe(yaml: string, ...words: readonly string[]) {
  const { kubeconfig, write, remove } = commandFolder(cluster.access);
  const file = write("pickers.yaml", yaml);
  const [out, err, interrupt] = [[] as string[], [] as string[], new AbortController()];
  const command = ["picker", "serve", "--config", file, "--kubeconfig", kubeconfig, "--port=0", ...words];
  const ended = runCommand([pickerCommand], [...command, "--log-level=error"], {
    out: (text) => out.push(text),
    err: (text) => err.push(text),
    interrupted: interrupt.signal,
  });
  onTestFinished(async () => {
    interrupt.abort();
    await ended;
    remove();
  });
  return { out, err, ended };
}

/** The URLs that `picker serve` prints once it answers. */
async function urlsOf({ out, err }: ReturnType<typeof typeServe>) {
  const found = () => {
    const [, http = "", grpc = "", diagnostics = ""] =
      /questions: (\S+) and (\S+)\nhealth and metrics: (\S+)/.exec(out.join("\n")) ?? [];
    expect(err).toEqual([]);
    expect(diagnostics).not.toBe("");
    return { http: new URL(http), grpc: new URL(grpc.replace("grpc:", "http:")), diagnostics };
  };
  return vi.waitFor(found, { timeout: 120_000 });
}

async function scaleDown(name: string, downscalePodPicker: DownscalePodPicker): Promise<readonly string[]> {
  const stored = await cluster.client.get(deployments, { namespace: "default", name });
  const { metadata, spec } = stored;
  const scaled = { ...stored, metadata, spec: { ...spec, replicas: 2, downscalePodPicker } };
  await cluster.client.update(deployments, scaled);
  await seen(cluster.client, deployments, {
    name,
    is: ({ status }) =>
      status?.replicas === 2 &&
      status.conditions?.find(({ type }) => type === "DownscalePodPickerHealthy")?.status === "True",
  });
  return podsOf(name);
}

test.for(["http", "grpc"] as const)(
  "trimtab picker serve decides over %s which Pods stay, by their own metrics, and --check says so before",
  async (protocol) => {
    const name = `scraped-${protocol}`;
    const { names, busy } = await startWorkload(name);
    const yaml = configuration(name, "{ podMetrics: { port: 9100, metric: active_tasks } }");
    const check = typeServe(yaml, "--check");
    expect({ code: await check.ended, err: check.err }).toEqual({ code: 0, err: [] });
    const [heading = "", ...table] = check.out.join("\n").split("\n");
    expect(heading).toBe(
      `Deployment/${name} in default, by picker ${name}: 5 ready Pods; the first go first`,
    );
    const rows = table.map((row) => row.split(/ {3,}/));
    expect(rows[0]).toEqual(["POD", "NUMBER", "COUNTS AS", "PROTECTED", "WHY"]);
    expect(rows.slice(4)).toEqual([
      [busy[0], "5", "5", "yes"],
      [busy[1], "7", "7", "yes"],
    ]);
    expect(rows.slice(1, 4).map(([pod]) => pod)).toEqual(names.filter((pod) => !busy.includes(pod)));

    const urls = await urlsOf(typeServe(yaml));
    const { hostname: host, port } = urls[protocol];
    const stayed = await scaleDown(
      name,
      protocol === "http"
        ? { http: { host, port: Number(port) }, timeoutSeconds: 30 }
        : { grpc: { host, port: Number(port), tls: false }, timeoutSeconds: 30 },
    );
    expect(stayed).toEqual(busy);
    const ready = await request(`${urls.diagnostics}/readyz`);
    expect([ready.statusCode, await ready.body.text()]).toEqual([200, expect.stringContaining("ok")]);
    const metrics = await (await request(`${urls.diagnostics}/metrics`)).body.text();
    expect(metrics).toContain(`pod_picker_source_pods_total{picker="${name}",result="Number"} 5`);
    expect(metrics).toContain(`pod_picker_protected_pods_total{picker="${name}"} 2`);
  },
);

test("trimtab picker serve decides by a query of a Prometheus that scrapes the Pods", async ({ skip }) => {
  const tool = await buildPrometheus();
  if ("missing" in tool) return skip(tool.missing);
  const name = "queried";
  const { busy, servers } = await startWorkload(name);
  const url = await startPrometheus(programIn(tool.folder), servers);
  const query = 'sum by (pod) (active_tasks{namespace="$namespace",pod=~"$pods"})';
  const yaml = configuration(name, `{ prometheus: { url: "${url}", query: ${JSON.stringify(query)} } }`);
  // Prometheus has scraped every Pod when no row says that it has no number.
  const scraped = async () => {
    const check = typeServe(yaml, "--check");
    expect({ code: await check.ended, err: check.err }).toEqual({ code: 0, err: [] });
    expect(check.out.join("\n")).toContain("5 ready Pods");
    expect(check.out.join("\n")).not.toContain("the source has no number for it");
  };
  await vi.waitFor(scraped, { timeout: 120_000, interval: 500 });
  const { http } = await urlsOf(typeServe(yaml));
  const picker = { http: { host: http.hostname, port: Number(http.port) }, timeoutSeconds: 30 };
  expect(await scaleDown(name, picker)).toEqual(busy);
}, 1_800_000);

test("a query that Prometheus refuses is an event on the workload, and --check ends with 1", async ({
  skip,
}) => {
  const tool = await buildPrometheus();
  if ("missing" in tool) return skip(tool.missing);
  const name = "refused";
  await startWorkload(name);
  const url = await startPrometheus(programIn(tool.folder), []);
  const yaml = configuration(name, `{ prometheus: { url: "${url}", query: "sum by (" } }`);
  const check = typeServe(yaml, "--check");
  expect(await check.ended).toBe(1);
  expect(check.out.join("\n")).toContain("Refused: HTTP 400");
  const { http } = await urlsOf(typeServe(yaml));
  await scaleDown(name, { http: { host: http.hostname, port: Number(http.port) }, timeoutSeconds: 30 });
  const said = async () => {
    const { items } = await cluster.client.list(events, { namespace: "default" });
    const found = items.find(({ reason }) => reason === "PodPickerSourceFailed");
    expect(found?.message).toBe(
      "The source of picker refused failed; 5 of 5 Pods have no number: Refused (5): HTTP 400. They count as 0 and are not protected.",
    );
  };
  await vi.waitFor(said, { timeout: 60_000 });
}, 1_800_000);

test("what Pods use by metrics.k8s.io decides, and the number that the application keeps on its Pod", async () => {
  const name = "measured";
  const { names } = await startWorkload(name);
  const body = { metadata: { annotations: { "example.com/busy": "4" } } };
  await cluster.client.patch(pods, { namespace: "default", name: names[1] ?? "" }, { type: "merge", body });
  const check = typeServe(configuration(name, "{ annotation: { key: example.com/busy } }"), "--check");
  expect({ code: await check.ended, err: check.err }).toEqual({ code: 0, err: [] });
  expect(check.out.join("\n").split("\n").at(-1)).toMatch(new RegExp(`^${names[1]} +4 +4 +yes$`));
  const used = typeServe(configuration(name, "{ resourceMetrics: { resource: memory } }"), "--check");
  expect(await used.ended).toBe(0);
  expect(used.out.join("\n")).toContain(`Deployment/${name} in default`);
});

test("a Pod that works is waited for, by the number on it, and goes when it is idle", async () => {
  const name = "working";
  const { names } = await startWorkload(name);
  const [worker = ""] = names;
  const tasks = (number: string) => {
    const body = { metadata: { annotations: { "example.com/tasks": number } } };
    return cluster.client.patch(pods, { namespace: "default", name: worker }, { type: "merge", body });
  };
  await tasks("2");
  const { http } = await urlsOf(typeServe(configuration(name, "{ annotation: { key: example.com/tasks } }")));
  const picker = { http: { host: http.hostname, port: Number(http.port) }, timeoutSeconds: 30 };
  const stored = await cluster.client.get(deployments, { namespace: "default", name });
  const spec = { ...stored.spec, replicas: 0, downscalePodPicker: picker };
  await cluster.client.update(deployments, { ...stored, spec });
  const held = async () => {
    const { items } = await cluster.client.list(replicaSets, {
      namespace: "default",
      labelSelector: `app=${name}`,
    });
    const condition = items[0]?.status?.conditions?.find(({ type }) => type === "RemovalHeld");
    expect(condition).toMatchObject({ status: "True", message: expect.stringContaining(worker) });
    expect(await podsOf(name)).toEqual([worker]);
  };
  await vi.waitFor(held, { timeout: 120_000 });
  await tasks("0");
  // The picker is asked again after ten seconds, then after twenty.
  await seen(cluster.client, deployments, { name, is: ({ status }) => (status?.replicas ?? 0) === 0 });
}, 300_000);
