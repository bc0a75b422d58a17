import { expect, test } from "vitest";
import { WallClock } from "../../src/machinery/clock/wall-clock.ts";
import { startWebhookCluster } from "./webhook-cluster.ts";
import { type RawAnswer, reviewText, startWebhookServer } from "./webhook-server.ts";

const maps = "/api/v1/namespaces/default/configmaps";
const map = { metadata: { name: "a" }, data: { k: "v" } };
const clock = new WallClock();
const yes = (uid: string) => reviewText({ uid, allowed: true });

test.for<{ name: string; answer: RawAnswer; want: string }>([
  {
    name: "fails",
    answer: (response) => response.writeHead(500).end("out of order"),
    want: 'an error on the server ("out of order") has prevented the request from succeeding',
  },
  {
    name: "is not there",
    answer: (response) => response.writeHead(404).end(),
    want: "the server could not find the requested resource",
  },
  {
    name: "redirects",
    answer: (response) => response.writeHead(302, { location: "https://example.com/" }).end(),
    want: "the webhook answered with a redirect (302), which is not followed",
  },
  {
    name: "answers with something else than JSON",
    answer: (response) => response.end("<html>"),
    want: "couldn't get version/kind; json parse error: invalid JSON",
  },
  {
    name: "answers with a list",
    answer: (response) => response.end("[]"),
    want: "couldn't get version/kind: the body is not an object",
  },
  {
    name: "answers without a response",
    answer: (response) => response.end('{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview"}'),
    want: "received invalid webhook response: webhook response was absent",
  },
  {
    name: "answers another request",
    answer: (response) => response.end(yes("other")),
    want: 'got "other"',
  },
  {
    name: "answers in another version",
    answer: (response, { uid }) => response.end(yes(uid).replace("k8s.io/v1", "k8s.io/v1beta1")),
    want: "got admission.k8s.io/v1beta1, Kind=AdmissionReview",
  },
  {
    name: "closes the connection",
    answer: (response) => response.destroy(),
    want: "EOF",
  },
  {
    name: "closes the connection in the middle",
    answer: (response) => {
      response.writeHead(200, { "content-length": 100 });
      response.write("{", () => response.destroy());
    },
    want: "EOF",
  },
  {
    name: "answers with too many bytes",
    answer: (response) => response.end(" ".repeat(4 * 1024 * 1024)),
    want: "the response is larger than 3145728 bytes",
  },
  {
    name: "answers with a bomb",
    answer: (response) => response.end("[".repeat(100_000)),
    want: "exceeded max depth",
  },
  {
    name: "answers compressed",
    answer: (response, { uid }) => response.setHeader("content-encoding", "br").end(yes(uid)),
    want: "the response is encoded as br, which was not asked for",
  },
  {
    name: "never answers",
    answer: () => undefined,
    want: "context deadline exceeded",
  },
  {
    name: "answers a byte at a time",
    answer: (response) => {
      const drip = () => void response.write(" ", () => clock.after(20, drip));
      response.on("close", () => response.destroy());
      drip();
    },
    want: "context deadline exceeded",
  },
])("a webhook that $name is named in the answer, and ignored if it may be", async ({ answer, want }) => {
  const server = await startWebhookServer({ bad: { raw: answer } });
  const { send, configure } = await startWebhookCluster();
  // One that answers gets enough time for a busy machine.
  const timeoutSeconds = want === "context deadline exceeded" ? 1 : 30;
  await configure("validating", server.webhookAt("bad", { timeoutSeconds }));
  const refused = await send(`POST ${maps}`, map);
  expect(refused.code).toBe(500);
  expect(refused.body["message"]).toContain('failed calling webhook "bad.example.com": ');
  expect(refused.body["message"]).toContain(want);
  await configure("validating", server.webhookAt("bad", { timeoutSeconds, failurePolicy: "Ignore" }));
  expect((await send(`POST ${maps}`, map)).code).toBe(201);
});
