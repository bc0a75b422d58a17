import { once } from "node:events";
import type { RequestListener } from "node:http";
import { connect as connectTcp, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { expect, onTestFinished, test } from "vitest";
import { createCertificateAuthority, issueCertificate } from "../certificates/certificate.ts";
import { WallClock } from "../clock/wall-clock.ts";
import { seededRandom } from "../random/random.ts";
import { loopbackAddress, serveHttps } from "./serve-https.ts";

// Certificates have to be valid today.
const now = new WallClock().now();
const random = seededRandom("connection-limit");
const ca = createCertificateAuthority(now, random);
const subject = { commonName: "server" };
const issued = issueCertificate(ca, { subject, use: "server", hosts: ["localhost"], now, random });

const get = (path: string, ...headers: readonly string[]) =>
  `GET ${path} HTTP/1.1\r\n${["Host: localhost", ...headers].join("\r\n")}\r\n\r\n`;

/** A server with room for three connections; `/watch` is answered with a line and never ends. */
async function serve() {
  const large = Buffer.alloc(32 * 2 ** 20); // more than the buffers of a connection hold
  const sockets: Socket[] = [];
  const handler: RequestListener = ({ url, socket }, response) => {
    sockets.push(socket);
    if (url === "/watch") response.write("begun\n");
    else response.end(url === "/large" ? large : "ok");
  };
  const server = await serveHttps(() => handler, {
    ...issued,
    host: loopbackAddress,
    port: 0,
    maxConnections: 3,
  });
  onTestFinished(() => server.close());
  const { port } = server;

  const kept = async <T extends Socket>(socket: T, event: string): Promise<T> => {
    onTestFinished(() => void socket.destroy());
    socket.on("error", () => undefined); // being cut off is what these tests are about
    await once(socket, event);
    return socket;
  };
  const secured = (allowHalfOpen = false) => {
    const options = {
      port,
      host: loopbackAddress,
      ca: ca.certificate,
      servername: "localhost",
      allowHalfOpen,
    };
    return kept(connectTls(options), "secureConnect");
  };
  return {
    /** A connection without a handshake. */
    silent: async () => (await kept(connectTcp(port, loopbackAddress), "connect")).resume(),
    secured,
    /** A connection on which this was sent, and whose answer began. */
    answered: async (sent: string): Promise<Socket> => {
      const socket = await secured();
      socket.write(sent);
      await once(socket, "readable");
      return socket;
    },
    /** The server's ends of the connections of requests. */
    sockets,
  };
}

/** Resolves when a connection is over, by whatever error. */
const closed = (socket: Socket) =>
  new Promise<void>((resolve) => {
    if (socket.closed) resolve();
    else socket.resume().once("close", () => resolve());
  });

/** Asks on a connection that is open, and resolves with what comes back. */
async function ask(socket: Socket): Promise<string> {
  socket.write(get("/"));
  const [chunk] = (await once(socket.removeAllListeners("readable"), "data")) as [Buffer];
  return chunk.toString().slice(0, 12);
}

test("of connections without a whole request the one that waited longest gives way", async () => {
  const { silent, secured, answered } = await serve();
  const handshake = await silent();
  const head = await secured();
  head.write("GET / HTTP/1.1\r\nHost: local");
  const body = await secured();
  body.write("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{");
  for (const oldest of [handshake, head, body]) {
    await answered(get("/"));
    await closed(oldest);
  }
});

test("a connection waits from its last response on", async () => {
  const { secured } = await serve();
  const [first, second, third] = [await secured(), await secured(), await secured()];
  await ask(first);
  await ask(await secured());
  await closed(second);
  expect([await ask(first), await ask(third)]).toEqual(["HTTP/1.1 200", "HTTP/1.1 200"]);
});

test.for([
  { name: "a watch", sent: get("/watch") },
  { name: "another protocol", sent: get("/watch", "Connection: Upgrade", "Upgrade: websocket") },
])("$name is in progress, and never gives way", async ({ sent }) => {
  const { secured, answered } = await serve();
  const watches = [await answered(sent), await answered(sent)];
  for (let round = 0; round < 10; round++) await ask(await secured());
  watches.push(await answered(sent));
  await expect(secured()).rejects.toThrow("disconnected before secure TLS connection");
  expect(watches.map((socket) => socket.closed)).toEqual([false, false, false]);
});

test("where others are in progress, a client that does not read its response gives way", async () => {
  const { secured, answered } = await serve();
  const watches = [await answered(get("/watch")), await answered(get("/watch"))];
  const unread = await answered(get("/large"));
  expect(await ask(await secured())).toBe("HTTP/1.1 200");
  await closed(unread);
  expect(watches.map((socket) => socket.closed)).toEqual([false, false]);
});

test("a client of another protocol that is refused cannot keep its half of the connection", async () => {
  const { secured, sockets } = await serve();
  const socket = await secured(true);
  socket.resume().write(get("/", "Connection: Upgrade", "Upgrade: websocket"));
  await once(socket, "end");
  expect(sockets).toHaveLength(1);
  for (const each of sockets) await closed(each);
});
