import { connect as connectTcp, type Socket } from "node:net";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { expect, onTestFinished, test } from "vitest";
import { configMaps as configMapResource } from "../../src/api/resources.ts";
import { VirtualClock } from "../../src/machinery/clock/virtual-clock.ts";
import { WallClock } from "../../src/machinery/clock/wall-clock.ts";
import { configMaps, hostileTestCluster } from "./fixture.ts";

// Timeouts run by this virtual clock; it starts now, since certificates have to be valid today.
const clock = new VirtualClock(new WallClock().now());
const fixture = hostileTestCluster(clock);

const closed = (socket: Socket) => new Promise<void>((resolve) => socket.once("close", () => resolve()));

function kept<T extends Socket>(socket: T): T {
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => undefined); // disconnects are expected here
  return socket;
}

/** A connection on which nothing is sent yet. */
const silent = () => kept(connectTcp(fixture.cluster().access.port, "127.0.0.1"));

/** A connection after its TLS handshake. */
async function secured(): Promise<TLSSocket> {
  const { port, ca } = fixture.cluster().access;
  const socket = kept(connectTls({ port, host: "127.0.0.1", ca, servername: "localhost" }));
  await new Promise((resolve) => socket.once("secureConnect", resolve));
  return socket;
}

const head = (line: string, ...more: string[]) =>
  [
    `${line} HTTP/1.1`,
    "Host: localhost",
    `Authorization: Bearer ${fixture.cluster().access.token}`,
    ...more,
  ].join("\r\n");

const isServing = async () => (await fixture.call(`GET ${configMaps}`)).code === 200;

/** Advances the clock until a promise resolves; the server may not have read the request yet when the first step ends. */
async function passUntil(promise: Promise<unknown>, stepMs: number): Promise<void> {
  const state = { isResolved: false };
  const marked = promise.then(() => (state.isResolved = true));
  while (!state.isResolved) {
    await clock.advance(stepMs);
    await isServing();
  }
  await marked;
}

test("hundreds of silent connections do not disturb other clients", async () => {
  const sockets = Array.from({ length: 300 }, silent);
  await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once("connect", resolve))));
  expect(await isServing()).toBe(true);
});

test("a malformed handshake closes the connection", async () => {
  for (const malformed of [
    "GET / HTTP/1.1\r\n\r\n",
    "\u0016\u0003\u0001\u0000\u0005hello",
    "\u0000".repeat(1000),
  ]) {
    const socket = silent();
    const over = closed(socket);
    socket.resume();
    socket.end(malformed);
    await over;
  }
  expect(await isServing()).toBe(true);
});

test("headers that never end delay no other client", async () => {
  for (let index = 0; index < 20; index++) (await secured()).write(head(`GET ${configMaps}`, "X-Half: "));
  expect(await isServing()).toBe(true);
});

test("bodies that never arrive delay no other client, and time out", async () => {
  const sockets = await Promise.all(Array.from({ length: 20 }, secured));
  const over = sockets.map(closed);
  for (const socket of sockets)
    socket.resume().write(`${head(`POST ${configMaps}`, "Content-Length: 1000")}\r\n\r\n{"met`);
  const body = '{"metadata":{"generateName":"other-"}}';
  expect((await fixture.call(`POST ${configMaps}`, { body })).code).toBe(201);
  await passUntil(Promise.all(over), 35_000);
});

test("a client that disconnects within its body creates nothing", async () => {
  const socket = await secured();
  const over = closed(socket);
  socket.write(`${head(`POST ${configMaps}`, "Content-Length: 1000")}\r\n\r\n{"metadata":{"name":"half"}`);
  await isServing();
  socket.destroy();
  await over;
  expect((await fixture.call(`GET ${configMaps}/half`)).code).toBe(404);
});

test("pipelined requests are answered in their order", async () => {
  const socket = await secured();
  const paths = ["/version", `${configMaps}?limit=1`, `${configMaps}/none`, "/livez"];
  socket.write(paths.map((path) => `${head(`GET ${path}`)}\r\n\r\n`).join(""));
  let text = "";
  for await (const chunk of socket.setEncoding("utf8") as AsyncIterable<string>) {
    text += chunk;
    if (text.endsWith("ok")) break;
  }
  const codes = [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, code]) => code);
  expect(codes).toEqual(["200", "200", "404", "200"]);
  expect(text.indexOf('"gitVersion"')).toBeLessThan(text.indexOf('"ConfigMapList"'));
});

test("a request that is smuggled in the body of another is not served", async () => {
  const metadata = { name: "target", namespace: "default" };
  const { client } = fixture.cluster();
  const { uid } = (await client.create(configMapResource, { metadata })).metadata;
  const socket = await secured();
  const over = closed(socket);
  socket.resume();
  const smuggled = `${head(`DELETE ${configMaps}/target`, "Connection: close")}\r\n\r\n`;
  socket.write(
    `${head(`POST ${configMaps}`, "Transfer-Encoding: chunked", "Content-Length: 4")}\r\n\r\n0\r\n\r\n${smuggled}`,
  );
  await over;
  expect((await client.get(configMapResource, metadata)).metadata.uid).toBe(uid);
});

test("watchers that never read are disconnected, and those that read miss no event", async () => {
  const unread = await Promise.all(Array.from({ length: 10 }, secured));
  const over = unread.map(closed);
  for (const socket of unread) {
    socket.pause();
    socket.write(`${head(`GET ${configMaps}?watch=true`)}\r\n\r\n`);
  }
  const attentive = await fixture.caller().open(`GET ${configMaps}?watch=true&labelSelector=storm`);
  onTestFinished(() => void attentive.destroy());
  const lines = fixture.caller().lines(attentive);
  const { client } = fixture.cluster();
  const large = "x".repeat(256 * 1024);
  for (let index = 0; index < 60; index++) {
    const metadata = { name: `storm-${index}`, namespace: "default", labels: { storm: "yes" } };
    await client.create(configMapResource, { metadata, data: { large } });
    const { value = "" } = (await lines.next()) as { value?: string };
    expect(value).toContain(`"storm-${index}"`);
  }
  expect(await isServing()).toBe(true);
  await clock.advance(31_000);
  for (const socket of unread) socket.resume();
  await passUntil(Promise.all(over), 31_000);
});

test("hundreds of watches that open and close do not disturb other clients", async () => {
  for (let round = 0; round < 5; round++) {
    const path = `GET ${configMaps}?watch=true&labelSelector=none`;
    const watches = await Promise.all(Array.from({ length: 60 }, () => fixture.caller().open(path)));
    for (const watch of watches) watch.destroy();
  }
  expect(await isServing()).toBe(true);
});
