import { spawn } from "node:child_process";
import { once } from "node:events";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Pod } from "../src/api/generated/core-v1.ts";
import { deployments, pods, replicaSets } from "../src/api/resources.ts";
import { endpointAnnotation } from "../src/api/well-known.ts";
import { parseConfiguration } from "../src/cli/picker/picker-serve-settings.ts";
import { WallClock } from "../src/machinery/clock/wall-clock.ts";
import { silentLogger } from "../src/machinery/log/logger.ts";
import { prometheusMetrics } from "../src/machinery/metrics/prometheus-metrics.ts";
import { seededRandom } from "../src/machinery/random/random.ts";
import { servablePickers } from "../src/picker/serve/serve-pickers.ts";
import { deployment } from "../src/testing/deployment.ts";
import { pod } from "../src/testing/pod.ts";
import { replicaSet } from "../src/testing/replica-set.ts";
import { testApi } from "../src/testing/test-api.ts";
import { type Measure, percentile } from "./measure.ts";

/** Pickers without code: their sources are another process on this machine. */
export async function pickerServe(): Promise<readonly Measure[]> {
  const source = await startSource();
  try {
    const queried = `{ prometheus: { url: "http://127.0.0.1:${source.port}", query: 'tasks{pod=~"$pods"}' } }`;
    const scraped = "{ podMetrics: { port: 80, metric: active_tasks } }";
    return [
      ...(await answers("1,000 candidates from one query", {
        score: queried,
        count: 1000,
        rounds: 200,
        bar: 100,
      })),
      ...(await answers("scraping 200 Pods", {
        score: scraped,
        count: 200,
        rounds: 60,
        bar: 300,
        port: source.port,
      })),
      await memory({ score: queried, count: 10, rounds: Number(process.env["BENCH_ANSWERS"] ?? 20_000) }),
    ];
  } finally {
    source.stop();
  }
}

interface Asking {
  readonly score: string;
  readonly count: number;
  readonly rounds: number;
  /** Where Pods have their servers. */
  readonly port?: number;
}

async function answers(what: string, asking: Asking & { readonly bar: number }): Promise<readonly Measure[]> {
  const { ask, stop } = await served(asking);
  for (let round = 0; round < 20; round++) await ask();
  const times: number[] = [];
  const before = process.cpuUsage();
  for (let round = 0; round < asking.rounds; round++) {
    const start = performance.now();
    await ask();
    times.push(performance.now() - start);
  }
  const { user, system } = process.cpuUsage(before);
  await stop();
  return [
    { what: `${what}: answer, p99`, value: percentile(times, 0.99), unit: "ms", bar: asking.bar },
    { what: `${what}: answer, median`, value: percentile(times, 0.5), unit: "ms" },
    {
      what: `${what}: processor time of an answer`,
      value: (user + system) / 1000 / asking.rounds,
      unit: "ms",
    },
  ];
}

/** How much the heap has grown between the first tenth of the answers and the last. */
async function memory(asking: Asking): Promise<Measure> {
  const { ask, stop } = await served(asking);
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const heap = () => {
    collect();
    return process.memoryUsage().heapUsed / 2 ** 20;
  };
  for (let round = 0; round < asking.rounds / 10; round++) await ask();
  const first = heap();
  for (let round = asking.rounds / 10; round < asking.rounds; round++) await ask();
  const grown = heap() - first;
  await stop();
  return {
    what: `heap after ${asking.rounds.toLocaleString("en")} answers, beyond that after a tenth`,
    value: grown,
    unit: "MB",
  };
}

const shop = "shop";

/** A picker for a Deployment of so many Pods, asked about all of them. */
async function served({ score, count, port = 1 }: Asking) {
  const read = parseConfiguration(`
apiVersion: trimtab.dev/v1alpha1
kind: PickerConfiguration
pickers: [{ name: bench, workload: { namespace: shop, name: web }, score: ${score}, timeout: 20s }]`);
  if (!read.ok) throw new Error(read.problems.join("; "));
  const api = testApi();
  api.seed(deployments, deployment("web", { namespace: shop }));
  api.seed(replicaSets, replicaSet("web-1", { namespace: shop, owner: "web" }));
  const names = Array.from({ length: count }, (_, index) => `web-67495659d6-${index}`);
  for (const name of names) api.seed(pods, benchPod(name, port));
  const stopping = new AbortController();
  const all = servablePickers({
    configuration: read.value,
    client: api.client,
    clock: new WallClock(),
    random: seededRandom("bench"),
    log: silentLogger,
    metrics: prometheusMetrics(),
    isSimulated: true,
    signal: stopping.signal,
  });
  const running = all.run();
  await all.ready();
  const question = {
    requested: Math.ceil(count / 10),
    candidates: names,
    namespace: shop,
    workload: { kind: "Deployment", name: "web" },
  };
  return {
    ask: async () => {
      const answer = await all.picker.answer(question);
      if (answer.kind !== "answered" || answer.chosen.length + answer.tied.length === count)
        throw new Error("the picker has not answered");
    },
    stop: async () => {
      stopping.abort(new Error("enough"));
      await Promise.all([running, all.picker.stop()]);
    },
  };
}

function benchPod(name: string, port: number): Pod {
  return pod(name, {
    namespace: shop,
    owner: { apiVersion: "apps/v1", kind: "ReplicaSet", name: "web-1" },
    annotations: { [endpointAnnotation]: `127.0.0.1:${port}` },
  });
}

/** Answers queries as Prometheus does, with a number for each Pod in them, and every GET with the metrics of a program. */
const sourceProgram = `
const page = Array.from({ length: 300 }, (_, i) => "process_metric_" + i + '{a="b"} ' + i).join("\\n");
const server = require("node:http").createServer((request, response) => {
  if (request.method === "GET") return response.end(page + "\\nactive_tasks " + (Math.random() * 9 | 0) + "\\n");
  let body = "";
  request.on("data", (chunk) => (body += chunk)).on("end", () => {
    const pods = /"(.*)"/.exec(new URLSearchParams(body).get("query"))[1].split("|");
    const result = pods.map((pod, i) => ({ metric: { pod, namespace: "shop", job: "pods" }, value: [1, String(i % 50)] }));
    response.end(JSON.stringify({ status: "success", data: { resultType: "vector", result } }));
  });
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));`;

async function startSource() {
  const child = spawn(process.execPath, ["--eval", sourceProgram], { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  return { port: Number(line.toString()), stop: () => void child.kill() };
}
