import { once } from "node:events";
import { connect as connectTcp, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { expect, onTestFinished, test } from "vitest";
import { configMaps, hostileTestCluster } from "./fixture.ts";

const fixture = hostileTestCluster();

function kept<T extends Socket>(socket: T): T {
  onTestFinished(() => void socket.destroy());
  return socket.on("error", () => undefined); // disconnects are expected here
}

/** A connection before its handshake. */
async function silent(): Promise<Socket> {
  const socket = kept(connectTcp(fixture.cluster().access.port, "127.0.0.1"));
  await once(socket, "connect");
  return socket.resume();
}

test("more silent connections than the API server keeps neither keep clients out nor end a watch", async () => {
  const watch = await fixture.caller().open(`GET ${configMaps}?watch=true&labelSelector=kept`);
  onTestFinished(() => void watch.destroy());
  const sockets: Socket[] = [];
  for (let index = 0; index < 4500; index++) sockets.push(await silent());
  const body = JSON.stringify({ metadata: { name: "kept", labels: { kept: "yes" } } });
  expect((await fixture.call(`POST ${configMaps}`, { body })).code).toBe(201);
  const { value = "" } = (await fixture.caller().lines(watch).next()) as { value?: string };
  expect(value).toContain('"ADDED"');
  expect(sockets[0]?.closed).toBe(true);
});

test("clients that finish neither their handshake nor the head of a request are disconnected", async () => {
  const { port, ca } = fixture.cluster().access;
  const begun = ["", "GET /version HTTP/1.1\r\n", "GET /version HTTP/1.1\r\nHost: localhost\r\nX: "];
  const sockets: Socket[] = [await silent()];
  for (const sent of begun) {
    const socket = kept(connectTls({ port, host: "127.0.0.1", ca, servername: "localhost" }));
    await once(socket, "secureConnect");
    if (sent !== "") socket.write(sent);
    sockets.push(socket.resume());
  }
  // By the server's own limits of 10 s.
  for (const socket of sockets)
    if (!socket.closed) await new Promise<void>((resolve) => socket.once("close", () => resolve()));
});
