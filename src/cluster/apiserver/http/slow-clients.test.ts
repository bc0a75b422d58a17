import { connect as connectTls, type TLSSocket } from "node:tls";
import { describe, expect, onTestFinished, test } from "vitest";
import type { JsonObject } from "../../../api/json.ts";
import { type HttpsTestApiServer, startHttpsTestApiServer } from "./https-fixture.contract.ts";

const configMaps = "/api/v1/namespaces/default/configmaps";

/** Sends the head of a request, and what else is given, on a connection of its own. */
async function sendPart({ access }: HttpsTestApiServer, line: string, more = ""): Promise<TLSSocket> {
  const socket = connectTls({ port: access.port, host: "127.0.0.1", ca: access.ca, servername: "localhost" });
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => {});
  await new Promise((resolve) => socket.once("secureConnect", resolve));
  const head = `${line} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${access.token}\r\n`;
  await new Promise((resolve) => socket.write(`${head}${more}`, resolve));
  return socket;
}

/** Lets the server notice what happened on other connections, which it reads before a later one. */
async function passTurns({ call }: HttpsTestApiServer): Promise<void> {
  for (let round = 0; round < 5; round++) await call(`GET ${configMaps}?limit=1`);
}

const configMap = (name: string, length: number) =>
  JSON.stringify({ metadata: { name }, data: { text: "x".repeat(length) } });

describe("clients that send large bodies slowly", () => {
  test("leave room for small ones, and their memory is limited", async () => {
    const fixture = await startHttpsTestApiServer({ limits: { bodyBytes: 1_000_000 } });
    const part = `Content-Length: 900000\r\n\r\n${"x".repeat(800_000)}`;
    const slow = await sendPart(fixture, `POST ${configMaps}`, part);
    await passTurns(fixture);
    const post = (body: string) => fixture.call(`POST ${configMaps}`, { body });
    const refused = await post(configMap("large", 600_000));
    expect(refused.code).toBe(429);
    expect(JSON.parse(refused.text)).toMatchObject({ reason: "TooManyRequests" });
    expect(refused.headers["retry-after"]).toBe("1");
    expect((await post(configMap("small", 1000))).code).toBe(201);
    slow.destroy();
    await passTurns(fixture);
    expect((await post(configMap("large", 600_000))).code).toBe(201);
  });

  test("one after the other do not use the room up", async () => {
    const fixture = await startHttpsTestApiServer({ limits: { bodyBytes: 1_000_000 } });
    for (let round = 0; round < 5; round++) {
      const { code } = await fixture.call(`POST ${configMaps}`, { body: configMap(`c${round}`, 900_000) });
      expect(code).toBe(201);
    }
  });
});

describe("a watch that waits for a revision", () => {
  // Of nothing: no event shows that the client is gone.
  const waiting = (revision: number) =>
    `GET ${configMaps}?watch=true&labelSelector=none&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&resourceVersion=${revision}`;

  test("gives its place to others when its client hangs up", async () => {
    const fixture = await startHttpsTestApiServer({ limits: { watches: 1 } });
    const { clock, store } = fixture;
    for (let round = 0; round < 3; round++) {
      const lost = await sendPart(fixture, waiting(store.revision() + 1), "\r\n");
      await passTurns(fixture);
      lost.destroy();
      await passTurns(fixture);
      await fixture.request(`POST ${configMaps}`, { metadata: { name: `c${round}` } });
      await clock.advance(200);
      await passTurns(fixture);
    }
    const answer = await fixture.open(`GET ${configMaps}?watch=true`);
    onTestFinished(() => void answer.destroy());
    expect(answer.statusCode).toBe(200);
  });

  test("counts while it waits", async () => {
    const fixture = await startHttpsTestApiServer({ limits: { watches: 1 } });
    await sendPart(fixture, waiting(fixture.store.revision() + 1), "\r\n");
    await passTurns(fixture);
    expect((await fixture.call(`GET ${configMaps}?watch=true`)).code).toBe(429);
  });
});

test("a large object arrives whole, in every format", async () => {
  const fixture = await startHttpsTestApiServer();
  const body = configMap("large", 900_000);
  expect((await fixture.call(`POST ${configMaps}`, { body })).code).toBe(201);
  for (const accept of ["application/json", "application/yaml"]) {
    const { code, text, headers } = await fixture.call(`GET ${configMaps}/large`, { headers: { accept } });
    expect({ code, length: headers["content-length"] }).toEqual({ code: 200, length: String(text.length) });
    expect(text.replaceAll(/[^x]/g, "").length).toBeGreaterThanOrEqual(900_000);
  }
  const list = await fixture.call(`GET ${configMaps}`);
  expect((JSON.parse(list.text) as { items: JsonObject[] }).items.length).toBe(1);
});
