import type { IncomingMessage, ServerResponse } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import type { JsonObject } from "../../api/json.ts";
import { configMaps } from "../../api/resources.ts";
import { collectingLogger } from "../../testing/collecting-logger.ts";
import { scriptedServer } from "../../testing/scripted-server.ts";
import { HttpsClient } from "../client/http/https-client.ts";
import { VirtualClock } from "../clock/virtual-clock.ts";
import { Informer } from "../informer/informer.ts";
import { seededRandom } from "../random/random.ts";

const named = (name: string, resourceVersion: string) => ({
  metadata: { name, namespace: "default", uid: name, resourceVersion },
});
const line = (type: string, object: JsonObject) => `${JSON.stringify({ type, object })}\n`;
const status = (code: number, reason: string): JsonObject => ({
  kind: "Status",
  apiVersion: "v1",
  metadata: {},
  status: "Failure",
  message: 'ListOptions.meta.k8s.io "" is invalid: sendInitialEvents: Forbidden',
  reason,
  code,
});

type Answer = (response: ServerResponse) => void;
const refusal =
  (code: number, body: JsonObject | string): Answer =>
  (response) =>
    void response.writeHead(code).end(typeof body === "string" ? body : JSON.stringify(body));

/** An informer of a server over HTTP that answers streamed lists in its own way, and serves lists and watches. */
async function informerOf(answer: Answer) {
  const requests: string[] = [];
  const server = await scriptedServer((request: IncomingMessage, response: ServerResponse) => {
    const { searchParams } = new URL(request.url ?? "/", "http://server");
    const isStreamed = searchParams.has("sendInitialEvents");
    const isWatch = searchParams.has("watch");
    requests.push(isStreamed ? "streamed list" : isWatch ? "watch" : "list");
    if (isStreamed) answer(response);
    else if (isWatch) response.write(line("ADDED", named("b", "8")));
    else response.end(JSON.stringify({ metadata: { resourceVersion: "7" }, items: [named("a", "5")] }));
  });
  const clock = new VirtualClock();
  const tls = { skipVerify: false };
  const connection = {
    server: server.url,
    credential: { type: "none" },
    tls,
    namespace: "default",
  } as const;
  const client = new HttpsClient({ connection, clock });
  const log = collectingLogger();
  const random = seededRandom("refused");
  const informer = new Informer({ client, clock, log, random, resource: configMaps });
  const stop = new AbortController();
  const added = new Promise<void>((resolve) => {
    informer.addHandler({ added: ({ metadata }) => void (metadata.name === "b" && resolve()) });
  });
  const running = informer.run(stop.signal);
  onTestFinished(async () => {
    stop.abort();
    await running;
    await client.close();
    await server.close();
  });
  return { informer, added, requests, log };
}

test.for([
  { name: "as invalid", answer: refusal(422, status(422, "Invalid")) },
  {
    name: "as invalid, without a code in the Status",
    answer: refusal(422, { ...status(422, "Invalid"), code: 0 }),
  },
  // upstream: an API server whose etcd cannot report progress
  { name: "as an internal error", answer: refusal(500, status(500, "InternalError")) },
  { name: "as a timeout", answer: refusal(504, status(504, "Timeout")) },
  { name: "as a bad request", answer: refusal(400, status(400, "BadRequest")) },
  { name: "behind a proxy without a Status", answer: refusal(422, "<html>unprocessable</html>") },
  {
    name: "in the stream it has opened",
    answer: (response: ServerResponse) => void response.end(line("ERROR", status(422, "Invalid"))),
  },
])("controllers work where the API server refuses a streamed list $name", async ({ answer }) => {
  const { informer, added, requests, log } = await informerOf(answer);
  await added;
  expect(informer.list().map(({ metadata }) => metadata.name)).toEqual(["a", "b"]);
  expect(requests).toEqual(["streamed list", "list", "watch"]);
  expect(log.entries.filter(({ level }) => level === "warn")).toEqual([]);
});
