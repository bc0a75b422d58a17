import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { withSession } from "./page-fixture.contract.ts";

test("clients that never finish their requests are disconnected, and do not disturb others meanwhile", async () => {
  const page = await withSession();
  const host = `Host: 127.0.0.1:${page.port}\r\n`;
  const action = `${host}Cookie: ${page.cookie}\r\nOrigin: ${page.url}\r\nTrimtab-Page: 1\r\nContent-Type: application/json\r\n`;
  const begun = [
    "",
    "GET / HTTP/1.1\r\n",
    `GET / HTTP/1.1\r\n${host}X: `,
    `POST /do HTTP/1.1\r\n${action}Content-Length: 100\r\n\r\n{`,
  ];
  const closed = begun.map(async (text) => {
    const socket = await page.connect();
    const over = once(socket.resume(), "close");
    if (text !== "") socket.write(text);
    return over;
  });
  expect((await page.get("/cluster.json")).code).toBe(200);
  // By the server's own limits of 10 s for the head and 20 s for the whole of a request.
  await Promise.all(closed);
  expect((await page.get("/cluster.json")).code).toBe(200);
  expect(page.log.entries).toEqual([]);
});

test("a client that does not read a file of the bundle is disconnected after half a minute", async () => {
  const fileBytes = 64 * 2 ** 20; // more than the buffers of a connection hold
  const folder = mkdtempSync(path.join(tmpdir(), "trimtab-page-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(path.join(folder, "assets"));
  writeFileSync(path.join(folder, "assets", "large.js"), Buffer.alloc(fileBytes, " "));
  const { connect, port, cookie, api } = await withSession({ folder });
  const socket = await connect();
  socket.write(`GET /assets/large.js HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nCookie: ${cookie}\r\n\r\n`);
  await once(socket, "readable");
  await api.clock.advance(29_000);
  expect(socket.destroyed).toBe(false);
  await api.clock.advance(2000);
  let read = 0;
  socket.on("data", (chunk: Buffer) => (read += chunk.length));
  await once(socket, "close");
  expect(read).toBeLessThan(fileBytes);
});
