import { once } from "node:events";
import type { RequestListener } from "node:http";
import { connect } from "node:tls";
import { expect, onTestFinished, test } from "vitest";
import { createCertificateAuthority, issueCertificate } from "../certificates/certificate.ts";
import { WallClock } from "../clock/wall-clock.ts";
import { seededRandom } from "../random/random.ts";
import { loopbackAddress, serveHttps } from "./serve-https.ts";

// Certificates have to be valid today.
const now = new WallClock().now();
const random = seededRandom("read-as-stream");
const ca = createCertificateAuthority(now, random);
const subject = { commonName: "server" };
const issued = issueCertificate(ca, { subject, use: "server", hosts: ["localhost"], now, random });

/** More than the buffers of a connection hold. */
const large = Buffer.alloc(32 * 2 ** 20, "r");

/** Answers a GET with a large body and a PUT with the length of its body; `written` resolves when the former is under way. */
async function serve() {
  let resolveWritten: () => void;
  const written = new Promise<void>((resolve) => (resolveWritten = resolve));
  const handler: RequestListener = (request, response) => {
    let bytes = 0;
    request.on("data", (chunk: Buffer) => (bytes += chunk.length));
    request.on("end", () => {
      response.end(request.method === "GET" ? large : `<${bytes}>`);
      if (response.writableNeedDrain || response.writableLength > 0) resolveWritten();
    });
  };
  const server = await serveHttps(() => handler, { ...issued, host: loopbackAddress, port: 0 });
  onTestFinished(() => server.close());
  const socket = connect({
    port: server.port,
    host: loopbackAddress,
    ca: ca.certificate,
    servername: "localhost",
  });
  onTestFinished(() => void socket.destroy());
  await once(socket, "secureConnect");
  return { socket, written };
}

// A record of TLS has at most 16 KiB.
test.for([
  { name: "in one record of TLS", bytes: 1000 },
  { name: "in two records", bytes: 18_000 },
  { name: "in more records than are read at a time", bytes: 500_000 },
])(
  "a request $name is answered that comes while the response before it is not read yet",
  async ({ bytes }) => {
    const { socket, written } = await serve();
    socket.pause().write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await written;
    const put = `PUT / HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${bytes}\r\n\r\n${"b".repeat(bytes)}`;
    for (let index = 0; index < 3; index++) socket.write(put);
    let end = "";
    for await (const chunk of socket as AsyncIterable<Buffer>) {
      end = `${end}${chunk.toString("latin1")}`.slice(-2000);
      if (end.split(`<${bytes}>`).length > 3) break;
    }
    expect(end.split(`<${bytes}>`)).toHaveLength(4);
  },
);
