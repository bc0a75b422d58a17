import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import { connect as connectTls } from "node:tls";
import { expect, onTestFinished, test } from "vitest";
import { createCertificateAuthority, issueCertificate } from "../../machinery/certificates/certificate.ts";
import { WallClock } from "../../machinery/clock/wall-clock.ts";
import { seededRandom } from "../../machinery/random/random.ts";
import { collectingLogger } from "../../testing/collecting-logger.ts";
import { grpcTransport } from "../transport/grpc-transport.ts";
import { httpTransport } from "../transport/http-transport.ts";
import type { Protocol } from "../picker-settings.ts";
import type { Headers } from "../transport/transport.ts";
import { createPicker } from "./create-picker.ts";
import type { ListenOptions } from "./listen.ts";
import type { PickerOptions } from "./picker-options.ts";

const busy = new Map([
  ["a", 3],
  ["b", 0],
  ["c", 1],
  ["d", 1],
]);
const candidates = ["d", "c", "b", "a"];
const host = "127.0.0.1";

/** A picker on free ports of this machine. */
async function start(
  listen: Partial<ListenOptions> = {},
  options: Partial<PickerOptions> = { score: (pod) => busy.get(pod) ?? 0 },
) {
  const log = collectingLogger();
  const picker = createPicker({ log, ...options } as PickerOptions);
  onTestFinished(() => picker.stop());
  const { url = "", grpcUrl = "" } = await picker.listen({ port: 0, host, ...listen } as ListenOptions);
  return { url, grpcUrl, picker, log };
}

function portOf(url: string): number {
  return Number(new URL(url.replace(/^grpc/, "http")).port);
}

/** Asks as the controller does. */
function ask(
  protocol: Protocol,
  url: string,
  { headers = [], ca }: { readonly headers?: Headers; readonly ca?: string } = {},
) {
  const port = portOf(url);
  const options = ca === undefined ? {} : { ca: [ca] };
  const transport = protocol === "http" ? httpTransport(options) : grpcTransport(options);
  return transport.pickPods({
    target: { host, port, dial: { address: host, port }, tls: ca !== undefined, path: "/" },
    headers,
    question: { requested: 2, candidates },
    leftMs: 10_000,
    signal: new AbortController().signal,
  });
}

const answered = {
  kind: "answered",
  answer: { kind: "Ranked", chosen: new Set(["b"]), tied: new Set(["c", "d"]) },
};

test.for([
  { name: "one port", listen: {}, isOne: true },
  { name: "a port for each", listen: { port: undefined, httpPort: 0, grpcPort: 0 }, isOne: false },
] as { readonly name: string; readonly listen: Partial<ListenOptions>; readonly isOne: boolean }[])(
  "a picker answers over HTTP and gRPC on $name",
  async ({ listen, isOne }) => {
    const { url, grpcUrl } = await start(listen);
    expect(await ask("http", url)).toMatchObject(answered);
    expect(await ask("grpc", grpcUrl)).toMatchObject(answered);
    expect(portOf(url) === portOf(grpcUrl)).toBe(isOne);
  },
);

test.for(["http", "grpc"] as const)("over %s callers need one of the tokens", async (protocol) => {
  const { url } = await start({}, { score: () => 0, token: () => ["old", "new"] });
  for (const token of ["old", "new"])
    expect(await ask(protocol, url, { headers: [["authorization", `Bearer ${token}`]] })).toMatchObject({
      kind: "answered",
    });
  for (const headers of [[], [["authorization", "Bearer other"]], [["authorization", "old"]]] as Headers[])
    expect(await ask(protocol, url, { headers })).toMatchObject({
      class: "Refused",
      code: protocol === "http" ? "HTTP 401" : "gRPC UNAUTHENTICATED",
    });
});

test.for([
  { name: "throws", token: () => raise("no file"), logged: ["the function of tokens failed"] },
  { name: "returns nothing", token: () => undefined as never, logged: [] },
  { name: "returns an empty token", token: () => "", logged: [] },
])("a function of tokens that $name lets no caller in", async ({ token, logged }) => {
  const { url, log } = await start({}, { score: () => 0, token });
  for (const protocol of ["http", "grpc"] as const)
    for (const shown of ["", "undefined"])
      expect(await ask(protocol, url, { headers: [["authorization", `Bearer ${shown}`]] })).toMatchObject({
        code: protocol === "http" ? "HTTP 401" : "gRPC UNAUTHENTICATED",
      });
  const errors = log.entries.filter(({ level }) => level === "error").map(({ message }) => message);
  expect([...new Set(errors)]).toEqual(logged);
});

function raise(message: string): never {
  throw new Error(message);
}

test("a token may be in a header of another name", async () => {
  const { url } = await start({}, { score: () => 0, token: "sesame", tokenHeader: "Authentication" });
  expect(await ask("http", url, { headers: [["authentication", "sesame"]] })).toMatchObject({
    kind: "answered",
  });
  expect(await ask("http", url)).toMatchObject({ code: "HTTP 401" });
});

test.for(["http", "grpc"] as const)("a picker answers %s over TLS", async (protocol) => {
  const random = seededRandom("kit");
  const now = new WallClock().now();
  const ca = createCertificateAuthority(now, random);
  const { certificate, key } = issueCertificate(ca, {
    subject: { commonName: "picker" },
    use: "server",
    hosts: [host],
    now,
    random,
  });
  const { url } = await start({ tls: { certificate, key } });
  expect(url).toMatch(/^https:/);
  expect(await ask(protocol, url, { ca: ca.certificate })).toMatchObject(answered);
  const asking = await start({ tls: { certificate, key, clientCa: ca.certificate } });
  expect(await ask(protocol, asking.url, { ca: ca.certificate })).toMatchObject({
    code: protocol === "http" ? "HTTP 401" : "gRPC UNAUTHENTICATED",
  });
});

test("questions over TLS are all answered on one connection, though their answers are read after the last", async () => {
  const random = seededRandom("kit");
  const now = new WallClock().now();
  const ca = createCertificateAuthority(now, random);
  const subject = { commonName: "picker" };
  const pair = issueCertificate(ca, { subject, use: "server", hosts: [host], now, random });
  const { url } = await start({ tls: pair }, { score: () => 0 });
  const body = JSON.stringify({ number_of_pods_requested: 1, candidate_pods: ["a".repeat(2 ** 20)] });
  const question = (connection: string) =>
    `POST / HTTP/1.1\r\nHost: picker\r\nConnection: ${connection}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const socket = connectTls({ port: portOf(url), host, ca: ca.certificate });
  onTestFinished(() => void socket.destroy());
  await once(socket, "secureConnect");
  for (let index = 0; index < 15; index++) socket.pause().write(question("keep-alive"));
  socket.write(question("close"));
  expect((await text(socket)).split("HTTP/1.1 200 OK")).toHaveLength(17);
});

test("health and metrics need no token, and say when the picker stops", async () => {
  const { url, picker } = await start({}, { score: () => 0, token: "sesame" });
  const get = async (path: string) => {
    const response = await fetch(new URL(path, url));
    return { status: response.status, text: await response.text() };
  };
  expect(await get("/healthz")).toEqual({ status: 200, text: "ok\n" });
  expect(await get("/readyz")).toEqual({ status: 200, text: "ok\n" });
  await ask("http", url, { headers: [["authorization", "Bearer sesame"]] });
  expect((await get("/metrics")).text).toContain(
    'pod_picker_requests_total{protocol="http",result="answered"} 1',
  );
  for (const protocol of ["http", "grpc"] as const) {
    await ask(protocol, url);
    expect((await get("/metrics")).text).toContain(
      `pod_picker_requests_total{protocol="${protocol}",result="unauthenticated"} 1`,
    );
  }
  await picker.stop();
  await expect(fetch(url)).rejects.toThrow("fetch failed");
});

test.for([
  { name: "GET", init: {}, status: 405, error: "questions are asked with POST" },
  {
    name: "another path",
    path: "/pick",
    init: { method: "POST" },
    status: 404,
    error: "there is nothing here",
  },
  {
    name: "no JSON",
    init: { method: "POST", body: "{" },
    type: "application/json",
    status: 400,
    error: "not a question",
  },
  {
    name: "another content type",
    init: { method: "POST", body: "{}" },
    type: "text/plain",
    status: 415,
    error: "questions are application/json",
  },
  {
    name: "no number",
    init: { method: "POST", body: '{"candidate_pods":[]}' },
    type: "application/json",
    status: 400,
    error: "number_of_pods_requested must be a whole number of at least 1",
  },
  {
    name: "names that are none",
    init: { method: "POST", body: '{"number_of_pods_requested":1,"candidate_pods":[1]}' },
    type: "application/json",
    status: 400,
    error: "candidate_pods must be a list of names",
  },
  {
    name: "5 MiB",
    init: { method: "POST", body: "x".repeat(5 * 1024 * 1024) },
    type: "application/json",
    status: 413,
    error: "a question has at most 4194304 bytes",
  },
])("over HTTP $name is answered with a sentence", async ({ init, path = "/", type, status, error }) => {
  const { url } = await start();
  const headers = type === undefined ? {} : { "content-type": type };
  const response = await fetch(new URL(path, url), { ...init, headers });
  expect(response.status).toBe(status);
  expect(await response.json()).toEqual({ error: expect.stringContaining(error) as string });
});

test.for([
  { name: "loopback", listen: {}, want: 0 },
  { name: "all addresses", listen: { host: "0.0.0.0" }, want: 1 },
])("a picker that answers every caller on $name has $want warnings in its log", async ({ listen, want }) => {
  const { log } = await start(listen);
  expect(log.entries.filter(({ level }) => level === "warn")).toHaveLength(want);
});

/** A promise that resolves when it is released. */
function closedGate() {
  let release: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => (release = resolve));
  return { gate, release: () => release() };
}

test.for(["http", "grpc"] as const)(
  "over %s a picker that stops answers the question it has, and accepts no other",
  async (protocol) => {
    const [begun, end] = [closedGate(), closedGate()];
    const { url, picker } = await start(
      {},
      {
        timeoutMs: 30_000,
        pick: async ({ lowest }) => {
          begun.release();
          await end.gate;
          return lowest((pod) => busy.get(pod) ?? 0);
        },
      },
    );
    const asked = ask(protocol, url);
    await begun.gate;
    const stopped = picker.stop({ graceMs: 30_000 });
    expect(await ask(protocol, url)).toMatchObject({ class: "ConnectionFailed" });
    end.release();
    expect(await asked).toMatchObject(answered);
    await stopped;
  },
);

test.for([
  { name: "overruns", pick: () => new Promise<never>(() => undefined), http: "HTTP 504", grpc: "Timeout" },
  {
    name: "throws",
    pick: () => Promise.reject(new Error("no database")),
    http: "HTTP 500",
    grpc: "gRPC INTERNAL",
  },
])("a handler that $name is an error over HTTP and gRPC", async ({ pick, http, grpc }) => {
  const { url, log } = await start({}, { pick, timeoutMs: 20 });
  expect(await ask("http", url)).toMatchObject({ class: "Refused", code: http });
  expect(JSON.stringify(await ask("grpc", url))).toContain(grpc);
  expect(log.entries.filter(({ level }) => level === "error")).toHaveLength(2);
});

test("a picker can be part of a server that there is already", async () => {
  const picker = createPicker({ score: (pod) => busy.get(pod) ?? 0, path: "/pick", log: collectingLogger() });
  const server = createServer((request, response) => {
    if (request.url === "/pick") picker.requestListener(request, response);
    else response.end("the application");
  });
  server.listen(0, host);
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const url = `http://${host}:${(server.address() as AddressInfo).port}`;
  expect(await (await fetch(url)).text()).toBe("the application");
  const body = JSON.stringify({ number_of_pods_requested: 2, candidate_pods: candidates });
  const response = await fetch(`${url}/pick`, {
    method: "POST",
    body,
    headers: { "content-type": "application/json" },
  });
  expect(await response.json()).toEqual({ chosen_pods: ["b"], tied_pods: ["c", "d"] });
});

test("a caller that leaves aborts what is done for it", async () => {
  const [begun, aborted] = [closedGate(), closedGate()];
  const { url } = await start(
    {},
    {
      timeoutMs: 30_000,
      pick: ({ signal }) =>
        new Promise(() => {
          signal.addEventListener("abort", aborted.release);
          begun.release();
        }),
    },
  );
  const leaving = new AbortController();
  const body = JSON.stringify({ number_of_pods_requested: 2, candidate_pods: candidates });
  const headers = { "content-type": "application/json" };
  const asked = fetch(url, { method: "POST", body, headers, signal: leaving.signal });
  await begun.gate;
  leaving.abort();
  await expect(asked).rejects.toThrow("aborted");
  await aborted.gate;
});

test("a request whose first byte comes alone is one of HTTP", async () => {
  const { url } = await start();
  const socket = connect({ port: portOf(url), host, noDelay: true });
  onTestFinished(() => void socket.destroy());
  await once(socket, "connect");
  const body = JSON.stringify({ number_of_pods_requested: 2, candidate_pods: candidates });
  await new Promise((resolve) => socket.write("P", resolve));
  expect((await fetch(url)).status).toBe(405); // answered after the byte has arrived
  socket.write(`OST / HTTP/1.1\r\nHost: picker\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
  const [answer] = (await once(socket, "data")) as [Buffer];
  expect(answer.toString()).toMatch(/^HTTP\/1.1 200/);
});

test.for([
  { name: "in plain text", tls: false },
  { name: "with TLS", tls: true },
])("a connection that says nothing does not keep a picker from stopping, $name", async ({ tls }) => {
  const now = new WallClock().now();
  const random = seededRandom("silent");
  const subject = { commonName: "picker" };
  const pair = issueCertificate(createCertificateAuthority(now, random), {
    subject,
    use: "server",
    hosts: [host],
    now,
    random,
  });
  const { url, picker } = await start(tls ? { tls: pair } : {});
  const socket = connect(portOf(url), host).on("error", () => undefined); // a reset is an end as well
  await once(socket, "connect");
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  await picker.stop({ graceMs: 10 });
  await closed;
});
