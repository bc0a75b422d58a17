import { expect, onTestFinished, test } from "vitest";
import { HttpsClient } from "../../../src/machinery/client/http/https-client.ts";
import { WallClock } from "../../../src/machinery/clock/wall-clock.ts";
import {
  customMetricsSource,
  resourceMetricsSource,
} from "../../../src/picker/serve/sources/metrics-apis.ts";
import type { WorkloadPods } from "../../../src/picker/serve/workload-pods.ts";
import { deployment } from "../../../src/testing/deployment.ts";
import type { ServerScript } from "../../../src/testing/scripted-server.ts";
import { startServer } from "./served.ts";

/** An API server with APIs of metrics. */
async function metricsApi(script: ServerScript): Promise<HttpsClient> {
  const { url } = await startServer(script);
  const connection = {
    server: url,
    credential: { type: "none" },
    tls: { skipVerify: false },
    namespace: "default",
  } as const;
  const client = new HttpsClient({ connection, clock: new WallClock(), busyRetries: 0 });
  onTestFinished(() => client.close());
  return client;
}

const pods = { workload: () => deployment("web") } satisfies Pick<WorkloadPods, "workload"> as never;

function question(...names: readonly string[]) {
  const { signal } = new AbortController();
  return { namespace: "shop", workload: { kind: "Deployment", name: "web" }, pods: names, signal };
}

const json = (value: unknown): ServerScript => {
  return (_, response) =>
    void response.setHeader("content-type", "application/json").end(JSON.stringify(value));
};

const container = (name: string, cpu: string, memory: string) => ({ name, usage: { cpu, memory } });
const podMetrics = {
  kind: "PodMetricsList",
  items: [
    {
      metadata: { name: "web-a" },
      containers: [container("app", "250m", "1Mi"), container("proxy", "5m", "1Mi")],
    },
    { metadata: { name: "web-b" }, containers: [container("app", "12345678n", "64Ki")] },
    { metadata: { name: "web-c" }, containers: [] },
    { metadata: { name: "web-d" }, containers: [container("app", "much", "1")] },
    { metadata: { name: "other" }, containers: [container("app", "1", "1")] },
  ],
};

test("what Pods use is the sum of their containers, in cores or bytes", async () => {
  const asked: (string | undefined)[] = [];
  const client = await metricsApi((request, response, call) => {
    asked.push(request.url);
    json(podMetrics)(request, response, call);
  });
  const names = question("web-a", "web-b", "web-c", "web-d", "web-e");
  const cpu = await resourceMetricsSource({ resource: "cpu" }, { client, pods })(names);
  expect([...cpu.numbers]).toEqual([
    ["web-a", 0.255],
    ["web-b", 0.012345678],
  ]);
  expect([...cpu.failures]).toEqual([["web-d", { class: "NotANumber" }]]);
  expect(asked).toEqual(["/apis/metrics.k8s.io/v1beta1/namespaces/shop/pods?labelSelector=app%3Dweb"]);
  const memory = await resourceMetricsSource(
    { resource: "memory", container: "app" },
    { client, pods },
  )(names);
  expect(memory.numbers.get("web-a")).toBe(1_048_576);
});

test("a metric of an adapter is a number for each Pod", async () => {
  const asked: (string | undefined)[] = [];
  const value = (name: string, amount: string) => ({ describedObject: { kind: "Pod", name }, value: amount });
  const client = await metricsApi((request, response, call) => {
    asked.push(request.url);
    json({ kind: "MetricValueList", items: [value("web-a", "1500m"), value("web-b", "0")] })(
      request,
      response,
      call,
    );
  });
  const read = customMetricsSource({ metric: "http_requests" }, { client, pods });
  expect([...(await read(question("web-a", "web-b", "web-c"))).numbers]).toEqual([
    ["web-a", 1.5],
    ["web-b", 0],
  ]);
  expect(asked).toEqual([
    "/apis/custom.metrics.k8s.io/v1beta1/namespaces/shop/pods/*/http_requests?labelSelector=app%3Dweb",
  ]);
});

test("an API that is not there, or refuses, is a failure of all Pods", async () => {
  const client = await metricsApi((_, response) => void response.writeHead(503).end());
  const read = customMetricsSource({ metric: "http_requests" }, { client, pods });
  expect([...(await read(question("web-a"))).failures]).toEqual([
    ["web-a", { class: "Refused", detail: "HTTP 503" }],
  ]);
});
