import { once } from "node:events";
import { connect, type TLSSocket } from "node:tls";
import { Agent, WebSocket } from "undici";
import { describe, expect, onTestFinished, test } from "vitest";
import { startHttpsTestApiServer, type HttpsTestApiServer } from "../https-fixture.contract.ts";

const configMaps = "/api/v1/namespaces/default/configmaps";

/** Opens a WebSocket as clients do that follow RFC 6455. */
function openWebSocket({ access }: HttpsTestApiServer, path: string): WebSocket {
  const dispatcher = new Agent({ connect: { ca: access.ca } });
  const headers = { authorization: `Bearer ${access.token}` };
  const webSocket = new WebSocket(`${access.url.replace("https:", "wss:")}${path}`, { dispatcher, headers });
  onTestFinished(() => dispatcher.destroy());
  return webSocket;
}

/** The next messages, parsed. */
function messages(webSocket: WebSocket, count: number): Promise<readonly unknown[]> {
  const received: unknown[] = [];
  return new Promise((resolve, reject) => {
    webSocket.addEventListener("error", ({ message }) => reject(new Error(message)));
    webSocket.addEventListener("message", ({ data }) => {
      received.push(JSON.parse(String(data)));
      if (received.length === count) resolve(received);
    });
  });
}

/** Sends bytes as they are and gives what comes back until the server ends the connection. */
async function exchangeBytes({ access }: HttpsTestApiServer, bytes: readonly Uint8Array[]): Promise<Buffer> {
  const socket: TLSSocket = connect({
    port: access.port,
    host: "127.0.0.1",
    ca: access.ca,
    servername: "localhost",
  });
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  await once(socket, "secureConnect");
  for (const each of bytes) socket.write(each);
  await once(socket, "close");
  return Buffer.concat(chunks);
}

function upgradeRequest({ access }: HttpsTestApiServer, path: string, ...headers: readonly string[]): Buffer {
  const lines = [
    `GET ${path} HTTP/1.1`,
    `Host: localhost:${access.port}`,
    `Authorization: Bearer ${access.token}`,
    "Connection: Upgrade",
    "Upgrade: websocket",
    ...headers,
  ];
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n`);
}

const handshake = ["Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 13"];
/** With a mask of zeros, which leaves the payload as it is. */
const masked = (opcode: number, payload: string) =>
  Buffer.concat([Buffer.from([0x80 | opcode, 0x80 | payload.length, 0, 0, 0, 0]), Buffer.from(payload)]);

describe("a watch over a WebSocket", () => {
  test("brings a Java client one event in each message", async () => {
    const server = await startHttpsTestApiServer();
    await server.request(`POST ${configMaps}`, { metadata: { name: "a" } });
    const webSocket = openWebSocket(server, `${configMaps}?watch=true&resourceVersion=0`);
    const received = messages(webSocket, 2);
    await new Promise((resolve) => webSocket.addEventListener("open", resolve, { once: true }));
    const data = { large: "x".repeat(70_000) };
    await server.request(`POST ${configMaps}`, { metadata: { name: "b" }, data });
    expect(await received).toMatchObject([
      { type: "ADDED", object: { kind: "ConfigMap", metadata: { name: "a" } } },
      { type: "ADDED", object: { kind: "ConfigMap", metadata: { name: "b" }, data } },
    ]);
    webSocket.close();
    await new Promise((resolve) => webSocket.addEventListener("close", resolve, { once: true }));
  });

  test("answers the pings that keep it open, and closes when the client does", async () => {
    const server = await startHttpsTestApiServer();
    const request = upgradeRequest(server, `${configMaps}?watch=true`, ...handshake);
    const answer = await exchangeBytes(server, [
      request,
      masked(9, "still there?"),
      masked(8, "\u0003\u00e8"),
    ]);
    const text = answer.toString("latin1");
    expect(text).toContain("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
    expect(text).toContain("\u008a\u000cstill there?");
  });

  test("ends for a client that breaks the protocol or sends without end", async () => {
    const server = await startHttpsTestApiServer();
    const request = upgradeRequest(server, `${configMaps}?watch=true`, ...handshake);
    const unmasked = await exchangeBytes(server, [request, Buffer.from([0x81, 1, 65])]);
    expect(unmasked.subarray(-4)).toEqual(Buffer.from([0x88, 2, 1002 >> 8, 1002 & 255]));
    const endless = Buffer.from([0x82, 0xff, 0, 0, 0, 1, 0, 0, 0, 0]);
    const long = await exchangeBytes(server, [request, endless]);
    expect(long.subarray(-4)).toEqual(Buffer.from([0x88, 2, 1009 >> 8, 1009 & 255]));
  });

  test("ends when the server does", async () => {
    const server = await startHttpsTestApiServer();
    const webSocket = openWebSocket(server, `${configMaps}?watch=true`);
    await new Promise((resolve) => webSocket.addEventListener("open", resolve, { once: true }));
    const closed = new Promise((resolve) => webSocket.addEventListener("close", resolve, { once: true }));
    await server.access.close();
    await closed;
  });
});

test.for([
  { name: "a watch without a handshake", path: `${configMaps}?watch=true`, headers: [], code: 400 },
  { name: "what is no watch", path: configMaps, headers: handshake, code: 200 },
  {
    name: "an exec in no Pod",
    path: "/api/v1/namespaces/default/pods/web/exec",
    headers: handshake,
    code: 404,
  },
  { name: "what is not there", path: "/api/v1/nothings?watch=true", headers: handshake, code: 404 },
])("a request to upgrade $name is answered with $code, and the connection ends", async (row) => {
  const server = await startHttpsTestApiServer();
  const answer = await exchangeBytes(server, [upgradeRequest(server, row.path, ...row.headers)]);
  expect(answer.toString()).toMatch(new RegExp(`^HTTP/1.1 ${row.code} [^]*\r\nConnection: close\r\n`));
});
