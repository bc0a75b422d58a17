import { expect, onTestFinished, test } from "vitest";
import { VirtualClock } from "../../machinery/clock/virtual-clock.ts";
import { collectingLogger } from "../../testing/collecting-logger.ts";
import { memoryMetrics } from "../../testing/memory-metrics.ts";
import { createPicker, lineLogger } from "./create-picker.ts";
import type { ListenOptions } from "./listen.ts";
import type { PodName } from "./pick-request.ts";
import type { PickerOptions } from "./picker-options.ts";

const question = { requested: 1, candidates: ["b", "a", "c"] };

/** A picker in virtual time, and what it logs and measures. */
function picker(options: PickerOptions) {
  const [clock, log, metrics] = [new VirtualClock(), collectingLogger(), memoryMetrics()];
  return { clock, log, metrics, ...createPicker({ clock, log, metrics, ...options }) };
}

/** A promise that resolves when it is released. */
function closedGate() {
  let release: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => (release = resolve));
  return { gate, release: () => release() };
}

test("pick answers with the names of candidates, each once", async () => {
  const { answer, log } = picker({
    pick: ({ candidates: [a, b], only }) => ({
      chosen: [...only(["a", "other"]), a as PodName, "unknown" as PodName],
      tied: [a as PodName, b as PodName],
    }),
  });
  expect(await answer(question)).toEqual({ kind: "answered", chosen: ["a"], tied: ["b"] });
  expect(log.entries).toMatchObject([
    { level: "warn", message: "picker named Pods that are no candidates", fields: { names: ["unknown"] } },
  ]);
});

test("pick may name Pods that may not go now, which keep their place in the order", async () => {
  const { answer } = picker({
    pick: ({ lowest, only }) => ({ ...lowest(() => 1), protected: only(["b", "other"]) }),
  });
  expect(await answer({ requested: 3, candidates: ["a", "b", "c"] })).toEqual({
    kind: "answered",
    chosen: ["a", "b", "c"],
    tied: [],
    protects: ["b"],
  });
});

test("pick may leave the ranking to the kit", async () => {
  const busy = new Map([["a", 2]]);
  const { answer } = picker({ pick: (request) => request.lowest((pod) => busy.get(pod) ?? 1) });
  expect(await answer(question)).toEqual({ kind: "answered", chosen: [], tied: ["b", "c"] });
});

test.for([
  {
    name: "throws",
    pick: () => {
      throw new Error("no database");
    },
    error: "no database",
  },
  { name: "rejects", pick: () => Promise.reject(new Error("no database")), error: "no database" },
  {
    name: "returns no choice",
    pick: () => ["a"] as never,
    error: "pick must return { chosen, tied, protected }, lists of the names of Pods",
  },
  {
    name: "returns nothing",
    pick: () => undefined as never,
    error: "pick must return { chosen, tied, protected }, lists of the names of Pods",
  },
])("a handler that $name is an error without details, and a line for the author", async ({ pick, error }) => {
  const { answer, log, metrics } = picker({ pick });
  expect(
    await answer({ ...question, namespace: "shop", workload: { kind: "Deployment", name: "web" } }),
  ).toEqual({
    kind: "refused",
    refusal: "failed",
    message: "the picker failed; its log says why",
  });
  expect(log.entries).toMatchObject([
    {
      level: "error",
      message: "picker failed",
      fields: { error: { message: error }, requested: 1, candidates: 3, workload: "Deployment/web" },
    },
  ]);
  expect(metrics.value("pod_picker_requests_total", { protocol: "http", result: "failed" })).toBe(1);
});

test("a handler that overruns is aborted, an error in time, and a line for the author", async () => {
  let signal: AbortSignal | undefined;
  const { answer, log, clock } = picker({
    timeoutMs: 400,
    pick: (request) => {
      ({ signal } = request);
      return new Promise(() => undefined);
    },
  });
  const answering = answer(question);
  await clock.advance(399);
  expect(signal?.aborted).toBe(false);
  await clock.advance(1);
  expect(await answering).toMatchObject({
    refusal: "overran",
    message: "the picker had no answer within 400 ms",
  });
  expect(signal?.aborted).toBe(true);
  expect(log.entries).toMatchObject([
    { message: "picker overran its time limit", fields: { timeoutMs: 400 } },
  ]);
});

test("a handler that fails after its time limit does not end the program", async () => {
  const { answer, clock } = picker({
    score: (_, { signal }) =>
      new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(new Error("aborted")))),
  });
  const answering = answer(question);
  await clock.advance(1000);
  expect(await answering).toMatchObject({ refusal: "overran" });
});

test("more questions at a time than allowed are refused", async () => {
  const { gate, release } = closedGate();
  const { answer } = picker({ maxRequests: 1, pick: () => gate.then(() => ({ chosen: [] })) });
  const first = answer(question);
  expect(await answer(question)).toMatchObject({ refusal: "busy" });
  release();
  expect(await first).toMatchObject({ kind: "answered" });
});

test("a picker that stops finishes what it has begun and accepts no more", async () => {
  const { gate, release } = closedGate();
  const { answer, stop } = picker({
    pick: ({ candidates }) => gate.then(() => ({ chosen: candidates.slice(0, 1) })),
  });
  const first = answer(question);
  const stopped = stop();
  expect(await answer(question)).toMatchObject({ refusal: "stopping" });
  release();
  expect(await first).toMatchObject({ chosen: ["a"] });
  await stopped;
});

test("stopping waits for the grace period at most", async () => {
  const { answer, stop, clock } = picker({ timeoutMs: 30_000, pick: () => new Promise(() => undefined) });
  void answer(question);
  const stopped = stop({ graceMs: 1000 });
  await clock.advance(1000);
  await stopped;
});

const score = () => 0;

test.for([
  { name: "no handler", options: {}, want: "one of score and pick is required" },
  { name: "two handlers", options: { score, pick: score }, want: "score and pick exclude each other" },
  { name: "a handler that is none", options: { score: 3 }, want: "score must be a function" },
  {
    name: "an unknown option",
    options: { score, timeout: 3 },
    want: "there is no option timeout: there are score, pick, concurrency, token, tokenHeader, path, timeoutMs",
  },
  {
    name: "a limit of zero",
    options: { score, timeoutMs: 0 },
    want: "timeoutMs must be a whole number from 1 to 30000",
  },
  {
    name: "a path without a slash",
    options: { score, path: "pick" },
    want: "path must begin with / and have no spaces, ? or #",
  },
  {
    name: "a path of the kit",
    options: { score, path: "/healthz" },
    want: "path must not be /healthz, which the kit serves itself",
  },
  {
    name: "a token from a variable that is not set",
    options: { score, token: undefined },
    want: "token is undefined: leave it out if callers need none",
  },
  {
    name: "an empty token",
    options: { score, token: "" },
    want: "token must not be empty: leave it out if callers need none",
  },
  {
    name: "a header without a token",
    options: { score, tokenHeader: "x" },
    want: "tokenHeader needs a token",
  },
])("createPicker refuses $name with a sentence", ({ options, want }) => {
  expect(() => createPicker(options as unknown as PickerOptions)).toThrow(`createPicker: ${want}`);
});

test.for([
  { name: "no port", options: {}, want: "one of port, httpPort and grpcPort is required" },
  { name: "three ports", options: { port: 1, grpcPort: 2 }, want: "port excludes httpPort and grpcPort" },
  { name: "a wrong port", options: { port: 65_536 }, want: "port must be a whole number from 0 to 65535" },
  {
    name: "one port twice",
    options: { httpPort: 8080, grpcPort: 8080 },
    want: "for both protocols on one port there is port",
  },
  {
    name: "a certificate that is none",
    options: { port: 0, tls: { certificate: "x", key: "y" } },
    want: "tls has no usable certificate and key",
  },
  {
    name: "a file that does not exist",
    options: { port: 0, tls: { certificateFile: "/does/not/exist", keyFile: "/nor/this" } },
    want: "/does/not/exist: no such file",
  },
])("listen refuses $name with a sentence", async ({ options, want }) => {
  await expect(createPicker({ score }).listen(options as unknown as ListenOptions)).rejects.toThrow(
    `listen: ${want}`,
  );
});

test("a port in use is a sentence", async () => {
  const first = createPicker({ score, log: collectingLogger() });
  onTestFinished(() => first.stop());
  const { url = "" } = await first.listen({ httpPort: 0, host: "127.0.0.1" });
  const port = Number(new URL(url).port);
  await expect(createPicker({ score }).listen({ port, host: "127.0.0.1" })).rejects.toThrow(
    `cannot listen on port ${port} of 127.0.0.1: it is in use`,
  );
});

test("a line is JSON with its level, time, message and fields, without tokens", () => {
  const lines: string[] = [];
  const log = lineLogger(new VirtualClock(), (line) => lines.push(line)).with({ picker: "shop" });
  log.debug("not written");
  log.error("picker failed", { error: new Error("no database"), token: "sesame" });
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    {
      level: "error",
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string,
      msg: "picker failed",
      picker: "shop",
      error: { message: "no database", stack: expect.stringContaining("create-picker.test.ts") as string },
      token: "[redacted]",
    },
  ]);
  expect(lines[0]?.endsWith("\n")).toBe(true);
});
