import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import type { ServerScript } from "../../../src/testing/scripted-server.ts";
import { fileOf } from "./file-of.ts";
import { pickerForWeb, serveConfiguration, startServer } from "./served.ts";

/** An answer as Prometheus writes it. */
function vector(
  series: readonly (readonly [labels: Readonly<Record<string, string>>, value: string])[],
): string {
  const result = series.map(([metric, value]) => ({ metric, value: [1_790_000_000.123, value] }));
  return JSON.stringify({ status: "success", data: { resultType: "vector", result } });
}

const query = 'sum by (pod) (tasks{namespace="$namespace",app="$workload",pod=~"$pods"})';

function byPrometheus(url: string, more = ""): string {
  return pickerForWeb(`score:
  prometheus:
    url: ${url}
    query: ${query}${more}
protect: "> 0"`);
}

/** A server that answers every query with this text. */
const startPrometheus = (answer: string) =>
  startServer((_, response) => void response.setHeader("content-type", "application/json").end(answer));

test("one query has the numbers of all Pods, and asks for them alone", async () => {
  const asked: unknown[] = [];
  const numbers = vector([
    [{ pod: "web-a" }, "2"],
    [{ pod: "web-b" }, "0.5"],
    [{ pod: "other" }, "0"],
  ]);
  const serve = async (...[request, response]: Parameters<ServerScript>) => {
    const query = new URLSearchParams(await text(request)).get("query");
    asked.push([request.method, request.url, request.headers.authorization, query]);
    response.end(numbers);
  };
  const server = await startServer((...exchange) => void serve(...exchange));
  const yaml = byPrometheus(`${server.url}/prefix/`, `\n    bearerTokenFile: ${fileOf("sesame\n")}`);
  const { ask } = await serveConfiguration(yaml, { pods: [] });
  expect(await ask(["web-b", "web-a", "web-c"], 2)).toEqual({
    kind: "answered",
    chosen: ["web-b", "web-c"],
    tied: [],
    protects: ["web-a", "web-b"],
  });
  const filled = 'sum by (pod) (tasks{namespace="shop",app="web",pod=~"web-a|web-b|web-c"})';
  expect(asked).toEqual([["POST", "/prefix/api/v1/query", "Bearer sesame", filled]]);
});

test("a name and a password are shown, and a password that is not there is a failure that names no file", async () => {
  const shown: (string | undefined)[] = [];
  const server = await startServer(({ headers }, response) => {
    shown.push(headers.authorization);
    response.end(vector([[{ pod: "web-a" }, "1"]]));
  });
  const basic = (file: string) =>
    byPrometheus(server.url, `\n    basicAuth: { username: me, passwordFile: ${file} }`);
  const { scores } = await serveConfiguration(basic(fileOf("sesame")), { pods: [] });
  expect(await scores(["web-a"])).toMatchObject({ "web-a": { number: 1, isProtected: true } });
  expect(shown).toEqual([`Basic ${Buffer.from("me:sesame").toString("base64")}`]);
  const missing = await serveConfiguration(basic("/no/such/file"), { pods: [] });
  const failure = { class: "CredentialMissing", detail: "the password cannot be read" };
  expect(await missing.scores(["web-a"])).toMatchObject({ "web-a": { failure } });
  expect(shown).toHaveLength(1);
});

test.for([
  { name: "text", answer: "no", failure: { class: "Malformed", detail: "it is not JSON" } },
  {
    name: "a matrix",
    answer: '{"status":"success","data":{"resultType":"matrix","result":[]}}',
    failure: { class: "Malformed", detail: "it is not an instant vector" },
  },
  { name: "a list", answer: "[]", failure: { class: "Malformed", detail: "it is not an instant vector" } },
  { name: "NaN", answer: vector([[{ pod: "web-a" }, "NaN"]]), failure: { class: "NotANumber" } },
  { name: "a word", answer: vector([[{ pod: "web-a" }, "many"]]), failure: { class: "NotANumber" } },
  {
    name: "a number where a text should be",
    answer: '{"data":{"resultType":"vector","result":[{"metric":{"pod":"web-a"},"value":[1,2]}]}}',
    failure: { class: "Malformed" },
  },
  {
    name: "two series of one Pod",
    answer: vector([
      [{ pod: "web-a", container: "a" }, "1"],
      [{ pod: "web-a", container: "b" }, "2"],
    ]),
    failure: { class: "Ambiguous", detail: "several series of one Pod: add them up with sum by (pod)" },
  },
  {
    name: "a million series",
    answer: vector(Array.from({ length: 200_000 }, (_, index) => [{ pod: `web-${index}` }, "1"])),
    failure: { class: "TooLarge" },
  },
])(
  "from a server that answers $name, the Pods count as missing, and protect nobody",
  async ({ answer, failure }) => {
    const { url } = await startPrometheus(answer);
    const { ask, scores } = await serveConfiguration(byPrometheus(url), { pods: [] });
    expect(await scores(["web-a"])).toEqual({
      "web-a": { failure, number: undefined, score: 0, isProtected: false },
    });
    expect(await ask(["web-a", "web-b"])).toMatchObject({ kind: "answered", tied: ["web-a", "web-b"] });
  },
);

test("series of other Pods, of other namespaces and without a Pod are left out", async () => {
  const { url } = await startPrometheus(
    vector([
      [{ pod: "web-a", namespace: "elsewhere" }, "9"],
      [{ pod: "web-a", namespace: "shop" }, "1"],
      [{ pod: "other" }, "0"],
      [{}, "0"],
      [{ pod: "__proto__" }, "0"],
    ]),
  );
  const { ask, scores } = await serveConfiguration(byPrometheus(url), { pods: [] });
  expect(await scores(["web-a", "web-b"])).toMatchObject({ "web-a": { number: 1 }, "web-b": { score: 0 } });
  expect(await ask(["web-a", "web-b"])).toMatchObject({ chosen: ["web-b"], tied: [], protects: ["web-a"] });
});

test("an infinite number is a number", async () => {
  const { url } = await startPrometheus(
    vector([
      [{ pod: "web-a" }, "+Inf"],
      [{ pod: "web-b" }, "-Inf"],
    ]),
  );
  const { ask } = await serveConfiguration(byPrometheus(url), { pods: [] });
  expect(await ask(["web-a", "web-b", "web-c"], 2)).toMatchObject({ chosen: ["web-b", "web-c"], tied: [] });
});

test("a server at an address where nothing may be is not asked", async () => {
  const { scores } = await serveConfiguration(byPrometheus("http://169.254.169.254"), { pods: [] });
  expect(await scores(["web-a"])).toMatchObject({ "web-a": { failure: { class: "AddressNotAllowed" } } });
});

test("a slow source delays no other workload, and answers no more than a few questions at a time", async () => {
  const slow = await startServer(() => undefined);
  const quick = await startPrometheus(vector([[{ pod: "game-a" }, "1"]]));
  const both = `${byPrometheus(slow.url)}
  - name: games
    workload: { namespace: shop, name: game }
    score: { prometheus: { url: "${quick.url}", query: players } }
`;
  const { ask, picker, metrics } = await serveConfiguration(both, { pods: [] });
  const waiting = Array.from({ length: 16 }, () => ask(["web-a", "web-b"]));
  expect(await ask(["web-a", "web-b"])).toMatchObject({ tied: ["web-a", "web-b"] }); // at once: it is busy
  expect(metrics.value("pod_picker_source_pods_total", { picker: "web", result: "Busy" })).toBe(2);
  const game = { namespace: "shop", workload: { kind: "Deployment", name: "game" } };
  expect(await ask(["game-a", "game-b"], 1, game)).toMatchObject({ chosen: ["game-b"] });
  const stopped = picker.stop({ graceMs: 0 });
  await slow.close();
  await Promise.all([...waiting, stopped]);
});

test("a workload without a picker, or a caller that does not say which, has the normal order, and is told so", async () => {
  const { url } = await startPrometheus(vector([]));
  const { ask, metrics, log } = await serveConfiguration(byPrometheus(url), { pods: [] });
  const other = { workload: { kind: "ReplicaSet", name: "web" } };
  expect(await ask(["a", "b"], 1, other)).toEqual({ kind: "answered", chosen: [], tied: [] });
  expect(await ask(["a", "b"], 1, { workload: undefined })).toMatchObject({ chosen: [], tied: [] });
  expect(metrics.value("pod_picker_unknown_workloads_total")).toBe(2);
  expect(log.entries.map(({ message }) => message)).toContain(
    "No picker of the configuration is for ReplicaSet/web; the normal order decides.",
  );
});
