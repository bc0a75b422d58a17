import { once } from "node:events";
import { expect, test } from "vitest";
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
