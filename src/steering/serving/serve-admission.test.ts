import { EventEmitter, once } from "node:events";
import { connect, type TLSSocket } from "node:tls";
import { Agent, request } from "undici";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { HttpsServer } from "../../machinery/https-server/serve-https.ts";
import { ownCertificate } from "../../machinery/https-server/serving-certificate.ts";
import { WallClock } from "../../machinery/clock/wall-clock.ts";
import { silentLogger } from "../../machinery/log/logger.ts";
import { seededRandom } from "../../machinery/random/random.ts";
import type { AdmissionAnswer, AdmissionRequest } from "../admission/review.ts";
import { serveAdmission } from "./serve-admission.ts";

const certificate = ownCertificate({ clock: new WallClock(), random: seededRandom("webhook") });
const dispatcher = new Agent({ connect: { rejectUnauthorized: false } });
const asked: { readonly request: AdmissionRequest; readonly timeoutMs: number }[] = [];
const arrivals = new EventEmitter();
const waiting: ((answer: AdmissionAnswer) => void)[] = [];
let server: HttpsServer;
beforeAll(async () => {
  server = await serveAdmission({
    handlers: {
      "/sizes": (review, timeoutMs) => {
        asked.push({ request: review, timeoutMs });
        return Promise.resolve({
          allowed: true,
          patch: [{ op: "replace", path: "/spec/replicas", value: 3 }],
        });
      },
      "/refusing": () =>
        Promise.resolve({ allowed: false, status: { status: "Failure", code: 422, message: "no" } }),
      "/hanging": () =>
        new Promise((resolve) => {
          if (waiting.push(resolve) === 200) arrivals.emit("all");
        }),
      "/broken": () => Promise.reject(new Error("a secret detail")),
    },
    port: 0,
    certificate: () => certificate,
    timeoutMs: 10_000,
    log: silentLogger,
  });
});
afterAll(async () => {
  await dispatcher.close();
  await server.close();
});

const json = { "content-type": "application/json" };
const review = (content: object = {}) =>
  JSON.stringify({
    apiVersion: "admission.k8s.io/v1",
    kind: "AdmissionReview",
    request: { uid: "7", resource: { resource: "replicasets" }, operation: "UPDATE", ...content },
  });

async function send(path: string, body: string, { method = "POST", headers = json } = {}) {
  const answer = await request(server.url + path, {
    method: method as "POST",
    headers,
    body,
    dispatcher,
  });
  return { code: answer.statusCode, text: await answer.body.text() };
}

/** A connection that has sent the head of a request and the beginning of its body. */
async function halfSent(): Promise<TLSSocket> {
  const socket = connect({ port: server.port, host: "127.0.0.1", rejectUnauthorized: false });
  await once(socket, "secureConnect");
  const head =
    "POST /sizes HTTP/1.1\r\nHost: webhook\r\nContent-Type: application/json\r\nContent-Length: 100";
  await new Promise((sent) => socket.write(`${head}\r\n\r\n{`, sent));
  return socket;
}

describe("the webhook", () => {
  test("answers with the uid of the request, and patches as JSON patches are sent", async () => {
    const { code, text } = await send("/sizes?timeout=7s", review({ subResource: "scale", dryRun: true }));
    expect(code).toBe(200);
    const { response } = JSON.parse(text) as { readonly response: Record<string, string> };
    expect(response).toMatchObject({ uid: "7", allowed: true, patchType: "JSONPatch" });
    expect(Buffer.from(response["patch"] ?? "", "base64").toString()).toBe(
      '[{"op":"replace","path":"/spec/replicas","value":3}]',
    );
    expect(asked.at(-1)).toMatchObject({
      timeoutMs: 7000,
      request: { resource: "replicasets/scale", isDryRun: true },
    });
  });

  test("refuses with the Status of the handler", async () => {
    const { text } = await send("/refusing", review());
    expect(JSON.parse(text)).toMatchObject({
      response: { allowed: false, status: { code: 422, message: "no" } },
    });
  });

  test.each(["?timeout=900s", "?timeout=-1s", "?timeout=soon", ""])(
    "takes no longer than configured, whatever it is told: %s",
    async (query) => {
      await send(`/sizes${query}`, review());
      expect(asked.at(-1)?.timeoutMs).toBe(10_000);
    },
  );

  test.each([
    ["not JSON", "{", 400, "invalid JSON"],
    ["no review", '{"kind":"Pod"}', 400, "must be an AdmissionReview of admission.k8s.io/v1"],
    ["an earlier version", review().replace("v1", "v1beta1"), 400, "must be an AdmissionReview"],
    [
      "no request",
      '{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview"}',
      400,
      "request: must be an object",
    ],
    ["no uid", review({ uid: 7 }), 400, "request.uid: must be a UID"],
    ["nested too deeply", `${"[".repeat(1000)}${"]".repeat(1000)}`, 400, "max depth"],
  ])("refuses what is %s", async (_, body, code, sentence) => {
    const answer = await send("/sizes", body);
    expect(answer.code).toBe(code);
    expect(answer.text).toContain(sentence);
  });

  test("refuses what is too long, of another type, or not posted, and other paths", async () => {
    const long = await send("/sizes", "x".repeat(9 * 1024 * 1024)).catch(() => ({ code: 413 }));
    expect(long.code).toBe(413);
    expect((await send("/sizes", review(), { headers: { "content-type": "text/plain" } })).code).toBe(415);
    expect((await send("/sizes", "", { method: "PUT" })).code).toBe(405);
    expect((await send("/elsewhere", review())).code).toBe(404);
    expect((await send("/__proto__", review())).code).toBe(404);
  });

  test("answers while hundreds of others have sent half a body", async () => {
    const idle = await Promise.all(Array.from({ length: 220 }, () => halfSent()));
    const { code } = await send("/sizes", review());
    for (const socket of idle) socket.destroy();
    expect(code).toBe(200);
  });

  test("answers no more than 200 at a time, and those that come later are told to come back", async () => {
    const arrived = once(arrivals, "all");
    const hanging = Array.from({ length: 200 }, () => send("/hanging", review()));
    await arrived;
    expect(await send("/sizes", review())).toEqual({ code: 503, text: "too many requests at a time" });
    for (const answer of waiting.splice(0)) answer({ allowed: true });
    expect(new Set((await Promise.all(hanging)).map(({ code }) => code))).toEqual(new Set([200]));
    expect((await send("/sizes", review())).code).toBe(200);
  });

  test("tells nobody why it failed", async () => {
    const { code, text } = await send("/broken", review());
    expect([code, text]).toEqual([503, "not now; see the log"]);
  });
});
