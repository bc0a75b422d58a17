import { once } from "node:events";
import type { Socket } from "node:net";
import { expect, test } from "vitest";
import { WallClock } from "../machinery/clock/wall-clock.ts";
import { withSession } from "./page-fixture.contract.ts";

type Page = Awaited<ReturnType<typeof withSession>>;

/** More than the server keeps. */
const many = 200;

/** Opens many connections one after the other, sends the same on each, and returns them when the server has read it. */
async function openMany({ connect, get }: Page, sent: string): Promise<readonly Socket[]> {
  const sockets: Socket[] = [];
  for (let index = 0; index < many; index++) {
    const socket = await connect();
    if (sent !== "") await new Promise((resolve) => socket.write(sent, resolve));
    sockets.push(socket.resume());
  }
  expect((await get("/cluster.json")).code).toBe(200);
  return sockets;
}

test.for([
  { name: "that say nothing", sent: () => "" },
  { name: "with half of a line", sent: () => "GET / HT" },
  {
    name: "with half of a head",
    sent: ({ port }: Page) => `GET / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX: `,
  },
  {
    name: "that were answered",
    sent: ({ port }: Page) => `GET / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`,
  },
])("connections $name give way to the browser of the page, the oldest first", async ({ sent }) => {
  const page = await withSession();
  const sockets = await openMany(page, sent(page));
  const first = sockets[0];
  if (first !== undefined && !first.closed) await once(first, "close");
  expect(sockets.at(-1)?.closed).toBe(false);
  expect(page.log.entries).toEqual([]);
});

test("a watch of the page goes on while others fill the server with connections", async () => {
  const page = await withSession({ clock: new WallClock() });
  const watch = await page.open("GET /watch?of=/api/v1/nodes", { headers: { cookie: page.cookie } });
  await openMany(page, "GET / HT");
  await page.api.request("POST /api/v1/nodes", { metadata: { name: "node-1" } });
  let text = "";
  for await (const chunk of watch.setEncoding("utf8") as AsyncIterable<string>) {
    text += chunk;
    if (text.includes('"node-1"')) break;
  }
  watch.destroy();
  expect(text).toContain('"node-1"');
});
