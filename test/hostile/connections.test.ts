import { connect as connectTcp, type Socket } from "node:net";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { expect, onTestFinished, test } from "vitest";
import { configMaps as configMapResource } from "../../src/api/resources.ts";
import { VirtualClock } from "../../src/machinery/clock/virtual-clock.ts";
import { WallClock } from "../../src/machinery/clock/wall-clock.ts";
import { configMaps, hostileTestCluster } from "./fixture.ts";

// Patience is measured by this clock, so nobody has to wait for it; certificates have to be good today.
const clock = new VirtualClock(new WallClock().now());
const fixture = hostileTestCluster(clock);

const closed = (socket: Socket) => new Promise<void>((resolve) => socket.once("close", () => resolve()));

function kept<T extends Socket>(socket: T): T {
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => undefined); // being cut off is what these tests are about
  return socket;
}

/** A connection on which nothing is said yet. */
const silent = () => kept(connectTcp(fixture.cluster().access.port, "127.0.0.1"));

/** The same behind the handshake. */
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

const isWell = async () => (await fixture.call(`GET ${configMaps}`)).code === 200;

/** Lets time pass until something has happened. A server may not yet have read what was sent when the first of it is up. */
async function passUntil(happening: Promise<unknown>, stepMs: number): Promise<void> {
  const state = { happened: false };
  const marked = happening.then(() => (state.happened = true));
  while (!state.happened) {
    await clock.advance(stepMs);
    await isWell();
  }
  await marked;
}

test("hundreds who connect and say nothing disturb nobody", async () => {
  const sockets = Array.from({ length: 300 }, silent);
  await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once("connect", resolve))));
  expect(await isWell()).toBe(true);
});

test("a handshake of nonsense is the end of a connection", async () => {
  for (const nonsense of [
    "GET / HTTP/1.1\r\n\r\n",
    "\u0016\u0003\u0001\u0000\u0005hello",
    "\u0000".repeat(1000),
  ]) {
    const socket = silent();
    const over = closed(socket);
    socket.resume();
    socket.end(nonsense);
    await over;
  }
  expect(await isWell()).toBe(true);
});

test("headers that never end are waited for by nobody else", async () => {
  for (let index = 0; index < 20; index++) (await secured()).write(head(`GET ${configMaps}`, "X-Half: "));
  expect(await isWell()).toBe(true);
});

test("bodies that never come are waited for by nobody else, and not for ever", async () => {
  const sockets = await Promise.all(Array.from({ length: 20 }, secured));
  const over = sockets.map(closed);
  for (const socket of sockets)
    socket.resume().write(`${head(`POST ${configMaps}`, "Content-Length: 1000")}\r\n\r\n{"met`);
  const body = '{"metadata":{"generateName":"decent-"}}';
  expect((await fixture.call(`POST ${configMaps}`, { body })).code).toBe(201);
  await passUntil(Promise.all(over), 35_000);
});

test("a client that hangs up in the midst of its body leaves nothing behind", async () => {
  const socket = await secured();
  const over = closed(socket);
  socket.write(`${head(`POST ${configMaps}`, "Content-Length: 1000")}\r\n\r\n{"metadata":{"name":"half"}`);
  await isWell();
  socket.destroy();
  await over;
  expect((await fixture.call(`GET ${configMaps}/half`)).code).toBe(404);
});

test("requests in one breath are answered in their order", async () => {
  const socket = await secured();
  const paths = ["/version", `${configMaps}/none`, "/livez"];
  socket.write(paths.map((path) => `${head(`GET ${path}`)}\r\n\r\n`).join(""));
  let text = "";
  for await (const chunk of socket.setEncoding("utf8") as AsyncIterable<string>) {
    text += chunk;
    if (text.endsWith("ok")) break;
  }
  expect([...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, code]) => code)).toEqual(["200", "404", "200"]);
});

test("a second request that hides in the body of the first is never heard", async () => {
  const metadata = { name: "coveted", namespace: "default" };
  const { client } = fixture.cluster();
  const { uid } = (await client.create(configMapResource, { metadata })).metadata;
  const socket = await secured();
  const over = closed(socket);
  socket.resume();
  const smuggled = `${head(`DELETE ${configMaps}/coveted`, "Connection: close")}\r\n\r\n`;
  socket.write(
    `${head(`POST ${configMaps}`, "Transfer-Encoding: chunked", "Content-Length: 4")}\r\n\r\n0\r\n\r\n${smuggled}`,
  );
  await over;
  expect((await client.get(configMapResource, metadata)).metadata.uid).toBe(uid);
});

test("watchers that never read are cut off, and those who do read miss nothing", async () => {
  const deaf = await Promise.all(Array.from({ length: 10 }, secured));
  const over = deaf.map(closed);
  for (const socket of deaf) {
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
  expect(await isWell()).toBe(true);
  await clock.advance(31_000);
  for (const socket of deaf) socket.resume();
  await passUntil(Promise.all(over), 31_000);
});

test("hundreds of watches that come and go disturb nobody", async () => {
  for (let round = 0; round < 5; round++) {
    const path = `GET ${configMaps}?watch=true&labelSelector=nobody`;
    const watches = await Promise.all(Array.from({ length: 60 }, () => fixture.caller().open(path)));
    for (const watch of watches) watch.destroy();
  }
  expect(await isWell()).toBe(true);
});
