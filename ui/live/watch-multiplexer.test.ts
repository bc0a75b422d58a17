import { expect, test } from "vitest";
import { VirtualClock } from "../../src/machinery/clock/virtual-clock.ts";
import type { EventChannel } from "./event-channel.ts";
import { WatchMultiplexer } from "./watch-multiplexer.ts";

/** A server whose answers a test writes, line by line. */
function scriptedServer(status = 200) {
  const clock = new VirtualClock();
  const asked: string[] = [];
  const closed: string[] = [];
  let send: (text: string) => void = () => undefined;
  let end: () => void = () => undefined;
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const paths = new URL(input as string, "http://page").searchParams.getAll("of");
    asked.push(...paths);
    init?.signal?.addEventListener("abort", () => closed.push(...paths));
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        const encoder = new TextEncoder();
        send = (text) => controller.enqueue(encoder.encode(text));
        end = () => controller.close();
        init?.signal?.addEventListener("abort", () => controller.error(init.signal?.reason));
      },
    });
    return status === 200
      ? new Response(body)
      : new Response('{"kind":"Status","code":401,"message":"no session"}', { status });
  };
  const multiplexer = new WatchMultiplexer({ fetch, clock });
  const opened: string[] = [];
  const open = (path: string, signal = new AbortController().signal) =>
    multiplexer.open(path, () => void opened.push(path), signal);
  return { clock, asked, opened, closed, open, send: (text: string) => send(text), end: () => end() };
}

async function take(channel: EventChannel, count: number): Promise<readonly string[]> {
  const lines: string[] = [];
  for await (const line of channel.read()) if (lines.push(line) === count) break;
  return lines;
}

test("watches that are opened together share a connection, and each gets its own lines", async () => {
  const { clock, asked, open, send } = scriptedServer();
  const [pods, nodes] = [open("/api/v1/pods"), open("/api/v1/nodes")];
  await clock.advance(100);
  send('0 {"a":1}\n1 {"b":1}\n0 {"a"');
  send(':2}\n- {"type":"HEARTBEAT"}\n');
  expect(await take(pods, 2)).toEqual(['{"a":1}', '{"a":2}']);
  expect(await take(nodes, 1)).toEqual(['{"b":1}']);
  expect(asked).toEqual(["/api/v1/pods", "/api/v1/nodes"]);
});

test("watches that end one after the other share the next connection", async () => {
  const { clock, asked, open, send } = scriptedServer();
  open("/pods");
  open("/nodes");
  await clock.advance(100);
  const closed = (index: number) => send(`${index} {"type":"CLOSED","object":{"code":200}}\n`);
  closed(0);
  open("/pods?again");
  await clock.advance(100);
  expect(asked).toEqual(["/pods", "/nodes"]);
  closed(1);
  open("/nodes?again");
  await clock.advance(100);
  expect(asked.slice(2)).toEqual(["/pods?again", "/nodes?again"]);
});

test("a connection is closed as soon as all its watches are aborted, though the server says nothing", async () => {
  const { clock, closed, open } = scriptedServer();
  const [first, second] = [new AbortController(), new AbortController()];
  open("/pods", first.signal);
  open("/nodes", second.signal);
  await clock.advance(100);
  first.abort();
  expect(closed).toEqual([]);
  second.abort();
  expect(closed).toEqual(["/pods", "/nodes"]);
});

test("characters that chunks cut in two arrive whole", async () => {
  const { clock, open, send } = scriptedServer();
  const pods = open("/pods");
  await clock.advance(100);
  send('0 {"name":"häuser"}\n');
  expect(await take(pods, 1)).toEqual(['{"name":"häuser"}']);
});

test("a watch that the API server has answered says so", async () => {
  const { clock, open, opened, send } = scriptedServer();
  const pods = open("/pods");
  await clock.advance(100);
  send('0 {"type":"OPENED"}\n0 {}\n');
  await take(pods, 1);
  expect(opened).toEqual(["/pods"]);
});

test.for([
  { name: "as usual", code: 200, want: "ended" },
  { name: "because its version is too old", code: 410, want: "too old" },
])("a watch ends $name while the other goes on", async ({ code, want }) => {
  const { clock, open, send } = scriptedServer();
  const [pods, nodes] = [open("/pods"), open("/nodes")];
  await clock.advance(100);
  send(`0 {"type":"CLOSED","object":{"code":${code},"message":"too old"}}\n1 {}\n`);
  const outcome = await take(pods, 1).then(
    () => "ended",
    (error: unknown) => (error instanceof Error ? error.message : ""),
  );
  expect(outcome).toBe(want);
  expect(await take(nodes, 1)).toEqual(["{}"]);
});

test("a server that says nothing any more is given up", async () => {
  const { clock, open } = scriptedServer();
  const reading = take(open("/pods"), 1).catch((error: unknown) => error);
  await clock.advance(60_000);
  expect(await reading).toMatchObject({ message: "nothing was heard from the server for 40 s" });
});

test("a refused connection fails every watch with the Status of the server", async () => {
  const { clock, open } = scriptedServer(401);
  const reading = [open("/pods"), open("/nodes")].map((each) =>
    take(each, 1).catch((error: unknown) => error),
  );
  await clock.advance(100);
  for (const error of await Promise.all(reading))
    expect(error).toMatchObject({ message: "no session", code: 401 });
});
