import { once } from "node:events";
import { get } from "node:https";
import { type AddressInfo, connect, createServer } from "node:net";
import { networkInterfaces } from "node:os";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { createCertificateAuthority, issueCertificate } from "../certificates/certificate.ts";
import { WallClock } from "../clock/wall-clock.ts";
import { seededRandom } from "../random/random.ts";
import { loopbackAddress, loopback6, serveHttps } from "./serve-https.ts";

// Certificates have to be valid today.
const now = new WallClock().now();
const random = seededRandom("https-server");
const authority = createCertificateAuthority(now, random);
const hosts = ["localhost", loopbackAddress, loopback6];
const issued = issueCertificate(authority, {
  subject: { commonName: "server" },
  use: "server",
  hosts,
  now,
  random,
});

const hasIpv6 = Object.values(networkInterfaces()).some((some) =>
  some?.some(({ address }) => address === loopback6),
);

async function serve(port = 0) {
  const server = await serveHttps((address) => (_request, response) => void response.end(address), {
    ...issued,
    port,
  });
  onTestFinished(() => server.close());
  return server;
}

/** The body of a GET, or the code of the error that it fails with. */
function bodyFrom(host: string, port: number): Promise<string> {
  return new Promise((resolve) => {
    get({ host, port, ca: authority.certificate, servername: "localhost", agent: false }, (response) =>
      resolve(text(response)),
    ).on("error", ({ code = "" }: NodeJS.ErrnoException) => resolve(code));
  });
}

test("a handler is made for the address that was bound", async () => {
  const { port, url } = await serve();
  expect(url).toBe(`https://127.0.0.1:${port}`);
  expect(await bodyFrom(loopbackAddress, port)).toBe(`127.0.0.1:${port}`);
});

test("both kinds of loopback are answered where the machine has them", async () => {
  const { port } = await serve();
  expect((await bodyFrom(loopback6, port)) === `127.0.0.1:${port}`).toBe(hasIpv6);
});

test("a port that is in use is named in one sentence", async () => {
  const { port } = await serve();
  await expect(serve(port)).rejects.toThrow(`cannot listen on port ${port} of 127.0.0.1: it is in use`);
});

test.runIf(hasIpv6)("a port that another program has on IPv6 loopback is in use", async () => {
  const other = createServer().listen(0, loopback6);
  await once(other, "listening");
  const { port } = other.address() as AddressInfo;
  await expect(serve(port)).rejects.toThrow(`cannot listen on port ${port} of ::1: it is in use`);
  other.close();
  await once(other, "close");
  const server = await serve(port);
  expect(server.port).toBe(port);
});

test("a closed server has ended its connections and freed its port", async () => {
  const server = await serve();
  await server.close();
  expect(await bodyFrom(loopbackAddress, server.port)).toBe("ECONNREFUSED");
});

test("a server closes although a client has not finished its TLS handshake", async () => {
  const server = await serve();
  const silent = connect(server.port, loopbackAddress);
  const ended = once(silent, "close");
  await once(silent, "connect");
  // Connections are accepted in their order, so the silent one has been accepted once this is answered.
  await bodyFrom(loopbackAddress, server.port);
  await server.close();
  await ended;
});
