import { once } from "node:events";
import type { RequestListener } from "node:http";
import { text } from "node:stream/consumers";
import { connect, type TLSSocket } from "node:tls";
import { expect, onTestFinished, test } from "vitest";
import { createCertificateAuthority, issueCertificate } from "../certificates/certificate.ts";
import { WallClock } from "../clock/wall-clock.ts";
import { seededRandom } from "../random/random.ts";
import { loopbackAddress, serveHttps } from "./serve-https.ts";

// Certificates have to be valid today.
const now = new WallClock().now();
const random = seededRandom("answer-upgrades");
const ca = createCertificateAuthority(now, random);
const subject = { commonName: "server" };
const issued = issueCertificate(ca, { subject, use: "server", hosts: ["localhost"], now, random });

/** Starts a server, and opens connections to it. */
async function serve(handler: RequestListener): Promise<() => Promise<TLSSocket>> {
  const server = await serveHttps(() => handler, { ...issued, host: loopbackAddress, port: 0 });
  onTestFinished(() => server.close());
  const { port } = server;
  return async () => {
    const socket = connect({ port, host: loopbackAddress, ca: ca.certificate, servername: "localhost" });
    onTestFinished(() => void socket.destroy());
    await once(socket, "secureConnect");
    return socket;
  };
}

const plain = "GET /plain HTTP/1.1\r\nHost: localhost\r\n\r\n";
const upgrade =
  "GET /upgrade HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n";

test("another protocol is refused where a response before it is still to come, and the server goes on", async () => {
  const open = await serve(({ url }, response) => void (url === "/plain" || response.end("upgraded")));
  const socket = await open();
  socket.write(plain + upgrade);
  expect(await text(socket)).toBe("");
  const other = await open();
  other.write(upgrade);
  expect(await text(other)).toContain("upgraded");
});

test("another protocol is answered after the response before it", async () => {
  const open = await serve(({ url }, response) => void response.end(url));
  const socket = await open();
  socket.write(plain + upgrade);
  expect((await text(socket)).match(/\/plain|\/upgrade/g)).toEqual(["/plain", "/upgrade"]);
});
