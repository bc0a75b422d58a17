import { expect, test, vi } from "vitest";
import {
  createCertificateAuthority,
  issueCertificate,
} from "../../../src/machinery/certificates/certificate.ts";
import { WallClock } from "../../../src/machinery/clock/wall-clock.ts";
import { seededRandom } from "../../../src/machinery/random/random.ts";
import { fileOf } from "./file-of.ts";
import { pickerForWeb, serveConfiguration, simulatedPod, startServer, webPod } from "./served.ts";

const metricsOf = (busy: number) => `# TYPE busy gauge\nbusy{queue="a"} ${busy}\nbusy{queue="b"} 0\n`;
const byMetrics = 'score: { podMetrics: { port: 9100, metric: busy } }\nprotect: "> 0"';

/** One server for each Pod, which answers with its metrics. */
async function startPods(busy: Readonly<Record<string, number>>) {
  const started = Object.entries(busy).map(async ([name, number]) => {
    const server = await startServer((_, response) => void response.end(metricsOf(number)));
    return simulatedPod(name, server.url);
  });
  return Promise.all(started);
}

test("the Pods with the fewest requests in flight go first, by their own metrics", async () => {
  const pods = await startPods({ "web-a": 3, "web-b": 0, "web-c": 1 });
  const { ask, scores, metrics } = await serveConfiguration(pickerForWeb(byMetrics), { pods });
  expect(await ask(["web-a", "web-b", "web-c"])).toEqual({
    kind: "answered",
    chosen: ["web-b"],
    tied: [],
    protects: ["web-a", "web-c"],
  });
  expect(await scores(["web-a", "web-b"])).toMatchObject({
    "web-a": { number: 3, isProtected: true },
    "web-b": { number: 0, isProtected: false },
  });
  expect(metrics.value("pod_picker_source_pods_total", { picker: "web", result: "Number" })).toBe(3);
  expect(metrics.value("pod_picker_protected_pods_total", { picker: "web" })).toBe(2);
});

test("a number in the JSON of an answer counts, wherever a pointer says", async () => {
  const server = await startServer((request, response) => {
    expect(request.url).toBe("/stats?full=1");
    response.end('{"sessions":[{"count":4}]}');
  });
  const yaml = pickerForWeb(
    'score: { podHttp: { port: 80, path: "/stats?full=1", pointer: /sessions/0/count } }',
  );
  const { scores } = await serveConfiguration(yaml, { pods: [simulatedPod("web-a", server.url)] });
  expect(await scores(["web-a"])).toMatchObject({ "web-a": { number: 4 } });
});

test("Pods are asked over TLS with a token, verified by a CA of their own", async () => {
  const random = seededRandom("pods");
  const now = new WallClock().now();
  const authority = createCertificateAuthority(now, random);
  const identity = {
    subject: { commonName: "pods" },
    use: "server" as const,
    hosts: ["pods.shop"],
    now,
    random,
  };
  const { certificate, key } = issueCertificate(authority, identity);
  const shown: (string | undefined)[] = [];
  const server = await startServer(
    ({ headers }, response) => {
      shown.push(headers.authorization);
      response.end(metricsOf(2));
    },
    { cert: certificate, key },
  );
  const [ca, token] = [fileOf(authority.certificate), fileOf("sesame\n")];
  const yaml = (serverName: string) =>
    pickerForWeb(`score:
  podMetrics:
    port: 9100
    metric: busy
    scheme: https
    bearerTokenFile: ${token}
    tls: { caFile: ${ca}, serverName: ${serverName} }`);
  const pods = [simulatedPod("web-a", server.url)];
  const trusted = await serveConfiguration(yaml("pods.shop"), { pods });
  expect(await trusted.scores(["web-a"])).toMatchObject({ "web-a": { number: 2 } });
  expect(shown).toEqual(["Bearer sesame"]);
  const other = await serveConfiguration(yaml("other.shop"), { pods });
  expect(await other.scores(["web-a"])).toMatchObject({
    "web-a": { failure: { class: "CertificateRejected" } },
  });
});

test.for([
  { name: "that answer text", answer: "<html>", failure: { class: "Malformed", detail: "it is not JSON" } },
  { name: "that answer a text in JSON", answer: '{"n":"7"}', failure: { class: "NotANumber" } },
  { name: "that answer nothing", answer: '{"n":null}', failure: undefined },
  {
    name: "that answer with megabytes",
    answer: `{"n":1,"x":"${"x".repeat(5e6)}"}`,
    failure: { class: "TooLarge" },
  },
])("Pods $name count as missing", async ({ answer, failure }) => {
  const server = await startServer((_, response) => void response.end(answer));
  const yaml = pickerForWeb("score: { podHttp: { port: 80, path: /, pointer: /n } }\nmissing: 5");
  const { scores } = await serveConfiguration(yaml, { pods: [simulatedPod("web-a", server.url)] });
  expect(await scores(["web-a"])).toMatchObject({ "web-a": { score: 5, isProtected: false } });
  expect((await scores(["web-a"]))["web-a"]?.failure).toEqual(failure);
});

test.for([
  { name: "refuse", act: 503, failure: { class: "Refused", detail: "HTTP 503" } },
  { name: "redirect", act: 302, failure: { class: "Redirected", detail: "HTTP 302" } },
  { name: "break the connection", act: 0, failure: { class: "ConnectionFailed" } },
])("Pods that $name count as missing, and nothing else is asked", async ({ act, failure }) => {
  const elsewhere = await startServer((_, response) => void response.end(metricsOf(1)));
  const server = await startServer((_, response) => {
    if (act === 0) response.destroy();
    else response.writeHead(act, { location: elsewhere.url }).end();
  });
  const { scores } = await serveConfiguration(pickerForWeb(byMetrics), {
    pods: [simulatedPod("web-a", server.url)],
  });
  expect(await scores(["web-a"])).toMatchObject({ "web-a": { failure, isProtected: false } });
  expect(elsewhere.calls()).toBe(0);
});

test("Pods that hang count as missing, and those that answer have their numbers in time", async () => {
  const [quick] = await startPods({ "web-a": 3 });
  const hanging = await startServer(() => undefined);
  const yaml = pickerForWeb(byMetrics).replace("timeout: 20s", "timeout: 300ms");
  const { ask, scores } = await serveConfiguration(yaml, {
    pods: [...(quick === undefined ? [] : [quick]), simulatedPod("web-b", hanging.url)],
  });
  // On a busy machine the first Pod may be late, too.
  const seen = async () =>
    expect(await scores(["web-a", "web-b"])).toMatchObject({
      "web-a": { number: 3 },
      "web-b": { failure: { class: "Timeout" }, score: 0 },
    });
  await vi.waitFor(seen, { timeout: 50_000 });
  expect(await ask(["web-a", "web-b"])).toMatchObject({ kind: "answered" });
});

test("with onError: protect, a Pod that cannot be read is protected, and one that cannot be found, too", async () => {
  const broken = await startServer((_, response) => void response.writeHead(500).end());
  const { scores } = await serveConfiguration(pickerForWeb(`${byMetrics}\nonError: protect`), {
    pods: [simulatedPod("web-a", broken.url)],
  });
  expect(await scores(["web-a", "web-gone"])).toMatchObject({
    "web-a": { isProtected: true },
    "web-gone": { isProtected: true, failure: { class: "PodUnknown" } },
  });
});

test("the Pods of others are not asked, whatever a question names", async () => {
  const foreign = await startServer((_, response) => void response.end(metricsOf(0)));
  const { metadata, ...rest } = simulatedPod("other-a", foreign.url);
  const { ownerReferences: _, ...unowned } = metadata;
  const { ask, scores } = await serveConfiguration(pickerForWeb(byMetrics), {
    pods: [{ ...rest, metadata: unowned }],
  });
  expect(await scores(["other-a", "127.0.0.1", "../x"])).toMatchObject({
    "other-a": { failure: { class: "PodUnknown" } },
    "127.0.0.1": { failure: { class: "PodUnknown" } },
  });
  expect(await ask(["other-a"], 1)).toMatchObject({ kind: "answered" });
  expect(foreign.calls()).toBe(0);
});

test("the address of a simulated Pod is never dialled, and an annotation leads to this machine only", async () => {
  const status = { ...webPod("x").status, podIP: "127.0.0.1" };
  const server = await startServer((_, response) => void response.end(metricsOf(0)));
  const { port } = new URL(server.url);
  const yaml = pickerForWeb(`score: { podMetrics: { port: ${port}, metric: busy } }`);
  const { scores } = await serveConfiguration(yaml, {
    pods: [
      { ...webPod("web-a"), status },
      simulatedPod("web-b", "http://192.0.2.1:81"),
      simulatedPod("web-c", "http://169.254.169.254:81"),
    ],
  });
  expect(await scores(["web-a", "web-b", "web-c"])).toMatchObject({
    "web-a": { failure: { class: "HostUnresolved" } },
    "web-b": { failure: { class: "AddressNotAllowed" } },
    "web-c": { failure: { class: "AddressNotAllowed" } },
  });
  expect(server.calls()).toBe(0);
});

test.for([
  "127.0.0.1",
  "::1",
  "169.254.169.254",
  "0.0.0.0",
  "224.0.0.1",
  "::ffff:127.0.0.1",
  "fd00:ec2::254",
])("a real Pod that has the address %s in its status is not dialled", async (podIP) => {
  const server = await startServer((_, response) => void response.end(metricsOf(0)));
  const { port } = new URL(server.url);
  const yaml = pickerForWeb(`score: { podMetrics: { port: ${port}, metric: busy } }`);
  const { scores } = await serveConfiguration(yaml, {
    pods: [{ ...simulatedPod("web-a", server.url), status: { ...webPod("x").status, podIP } }],
    isSimulated: false,
  });
  expect(await scores(["web-a"])).toMatchObject({ "web-a": { failure: { class: "AddressNotAllowed" } } });
  expect(server.calls()).toBe(0);
});

test("the application keeps a number on its Pod", async () => {
  const annotated = (name: string, busy?: string) =>
    webPod(name, busy === undefined ? {} : { annotations: { "example.com/busy": busy } });
  const yaml = pickerForWeb("score: { annotation: { key: example.com/busy } }\nmissing: last");
  const { ask, scores } = await serveConfiguration(yaml, {
    pods: [
      annotated("web-a", "2"),
      annotated("web-b", "1.5"),
      annotated("web-c", "many"),
      annotated("web-d"),
    ],
  });
  expect(await scores(["web-a", "web-b", "web-c", "web-d"])).toMatchObject({
    "web-a": { number: 2 },
    "web-b": { number: 1.5 },
    "web-c": { failure: { class: "NotANumber" }, score: Infinity },
    "web-d": { score: Infinity },
  });
  expect(await ask(["web-a", "web-b", "web-c", "web-d"], 3)).toEqual({
    kind: "answered",
    chosen: ["web-a", "web-b"],
    tied: ["web-c", "web-d"],
  });
});

test("a failing source is an event on the workload and a line in the log, once, without what is secret", async () => {
  const server = await startServer((_, response) => void response.writeHead(401).end("sesame is wrong"));
  const yaml = pickerForWeb(
    `score: { podMetrics: { port: 80, metric: busy, bearerTokenFile: ${fileOf("sesame")} } }`,
  );
  const { ask, recorded, log, metrics } = await serveConfiguration(yaml, {
    pods: [simulatedPod("web-a", server.url), simulatedPod("web-b", server.url)],
  });
  expect(await ask(["web-a", "web-b"])).toEqual({ kind: "answered", chosen: [], tied: ["web-a", "web-b"] });
  expect(await ask(["web-a", "web-b"])).toMatchObject({ kind: "answered" });
  const said = {
    reason: "PodPickerSourceFailed",
    message:
      "The source of picker web failed; 2 of 2 Pods have no number: Refused (2): HTTP 401. They count as 0.",
    of: "Deployment/web",
  };
  await vi.waitFor(async () => expect(await recorded()).toEqual([said]));
  expect(log.entries.filter(({ level }) => level === "warn").map(({ message }) => message)).toEqual([
    said.message,
  ]);
  expect(JSON.stringify(log.entries)).not.toContain("sesame");
  expect(metrics.value("pod_picker_source_pods_total", { picker: "web", result: "Refused" })).toBe(4);
});
