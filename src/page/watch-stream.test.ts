import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { createInterface } from "node:readline";
import { describe, expect, onTestFinished, test } from "vitest";
import { WallClock } from "../machinery/clock/wall-clock.ts";
import { podNamed, withSession } from "./page-fixture.contract.ts";
import * as fc from "fast-check";
import { LineTagger } from "./watch-stream.ts";

/** The lines of a response as they come. */
const linesOf = (answer: IncomingMessage) => createInterface({ input: answer })[Symbol.asyncIterator]();

async function nextLines(lines: AsyncIterator<string>, count: number): Promise<readonly string[]> {
  const read: string[] = [];
  while (read.length < count) read.push(String((await lines.next()).value));
  return read;
}

const watchOf = (...targets: readonly string[]) =>
  `/watch?${targets.map((target) => `of=${encodeURIComponent(target)}`).join("&")}`;

describe("watches", () => {
  const initial = "sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";

  test("share a response, each line tagged with the watch it belongs to", async () => {
    const { open, cookie, api } = await withSession({ clock: new WallClock() });
    await api.request("POST /api/v1/nodes", { metadata: { name: "node-1" } });
    const answer = await open(`GET ${watchOf(`/api/v1/nodes?${initial}`, "/api/v1/pods")}`, {
      headers: { cookie },
    });
    const lines = linesOf(answer);
    const first = await nextLines(lines, 4);
    expect(first.filter((line) => line.startsWith("1 "))).toEqual(['1 {"type":"OPENED"}']);
    expect(first.filter((line) => line.startsWith("0 ")).map((line) => line.slice(0, 20))).toEqual([
      '0 {"type":"OPENED"}',
      '0 {"type":"ADDED","o',
      '0 {"type":"BOOKMARK"',
    ]);
    await api.request("POST /api/v1/namespaces/default/pods", podNamed("web-1"));
    expect((await nextLines(lines, 1))[0]).toMatch(/^1 \{"type":"ADDED".*"name":"web-1"/);
    answer.destroy();
  });

  test("may be so many that Node would take their listeners for a leak", async () => {
    const warnings: string[] = [];
    const warned = ({ name }: Error) => void warnings.push(name);
    process.on("warning", warned);
    onTestFinished(() => void process.off("warning", warned));
    const { open, cookie } = await withSession({ clock: new WallClock() });
    const path = watchOf(...Array.from({ length: 12 }, () => "/api/v1/pods"));
    const answers = await Promise.all([1, 2].map(() => open(`GET ${path}`, { headers: { cookie } })));
    const isOpen = Array.from({ length: 12 }, (_, index) => `${index} {"type":"OPENED"}`).toSorted();
    for (const answer of answers) {
      expect((await nextLines(linesOf(answer), 12)).toSorted()).toEqual(isOpen);
      answer.destroy();
    }
    expect(warnings).not.toContain("MaxListenersExceededWarning");
  });

  test("beat while nothing happens", async () => {
    const { open, cookie, api } = await withSession();
    const answer = await open(`GET ${watchOf("/api/v1/pods")}`, { headers: { cookie } });
    const lines = linesOf(answer);
    expect(await nextLines(lines, 1)).toEqual(['0 {"type":"OPENED"}']);
    await api.clock.advance(15_000);
    expect(await nextLines(lines, 1)).toEqual(['- {"type":"HEARTBEAT"}']);
    answer.destroy();
  });

  test("end one by one, each with the reason, and the response with the last", async () => {
    const { get } = await withSession();
    const { text } = await get(watchOf("/api/v1/pods?resourceVersion=x", "/api/v1/nodes?labelSelector=%21"));
    expect(text.trimEnd().split("\n").toSorted()).toEqual([
      expect.stringMatching(/^0 \{"type":"CLOSED","object":.*"code":400/) as string,
      expect.stringMatching(/^1 \{"type":"CLOSED","object":.*"code":400/) as string,
    ]);
  });

  test("say when the API server cannot be reached or breaks off", async () => {
    const { get } = await withSession({
      clock: new WallClock(),
      async open({ path }) {
        if (path.startsWith("/api/v1/nodes")) throw new Error("connect ECONNREFUSED");
        const body = (async function* () {
          yield Buffer.from('{"type":"ADDED","object":{}}\n{"type":"AD');
          throw new Error("socket hang up");
        })();
        return {
          code: 200,
          header: () => undefined,
          body: Object.assign(body, { text: async () => "", destroy() {} }),
        };
      },
    });
    const { text } = await get(watchOf("/api/v1/nodes", "/api/v1/pods"));
    const lines = text.trimEnd().split("\n");
    const closed = (why: string) =>
      expect.stringMatching(new RegExp(`"CLOSED".*"code":502.*${why}`)) as string;
    expect(lines.filter((line) => line.startsWith("0"))).toEqual([closed("ECONNREFUSED")]);
    expect(lines.filter((line) => line.startsWith("1"))).toEqual([
      '1 {"type":"OPENED"}',
      '1 {"type":"ADDED","object":{}}',
      closed("socket hang up"),
    ]);
  });

  test("end at the API server when the browser goes away", async () => {
    const signals: AbortSignal[] = [];
    const { open, cookie } = await withSession({
      open: (_request, signal) => {
        signals.push(signal);
        return new Promise(() => undefined); // an API server that has not answered yet
      },
    });
    const answer = await open(`GET ${watchOf("/api/v1/pods")}`, { headers: { cookie } });
    const [signal = AbortSignal.abort()] = signals;
    const aborted = once(signal, "abort");
    expect(signal.aborted).toBe(false);
    answer.destroy();
    await aborted;
  });

  test.for(["/watch", "/watch?of=", "/watch?of=/api/v1/secrets", "/watch?of=/api/v1/pods&pretty=1"])(
    "%s is refused as a whole",
    async (path) => {
      const { get } = await withSession();
      expect([400, 403]).toContain((await get(path)).code);
    },
  );

  test("are limited for each browser, and for each response", async () => {
    const { open, get, cookie, openSession } = await withSession();
    const path = watchOf("/api/v1/pods");
    const opened = await Promise.all(
      Array.from({ length: 6 }, () => open(`GET ${path}`, { headers: { cookie } })),
    );
    const refused = await get("/api/v1/pods?watch=1");
    expect([refused.code, refused.headers["retry-after"]]).toEqual([429, "1"]);
    expect((await get("/api/v1/pods")).code).toBe(200);
    const other = await openSession();
    const another = await open(`GET ${path}`, { headers: { cookie: other } });
    expect(another.statusCode).toBe(200);
    another.destroy();
    const many = watchOf(...Array.from({ length: 25 }, () => "/api/v1/pods"));
    for (const answer of opened) answer.destroy();
    expect((await get(many)).code).toBe(400);
  });
});

test("everything that is open ends with the server", async () => {
  const { open, cookie, close } = await withSession();
  const answer = await open(`GET ${watchOf("/api/v1/pods")}`, { headers: { cookie } });
  answer.on("error", () => undefined); // cut off in the middle of the response
  const closed = new Promise((resolve) => answer.once("close", resolve));
  answer.resume();
  await close();
  await closed;
});

test("every line gets the tag, wherever chunks end", () => {
  const line = fc.string({ unit: "binary" }).map((text) => text.replaceAll("\n", ""));
  const cuts = fc.array(fc.nat());
  fc.assert(
    fc.property(fc.array(line), cuts, (lines, where) => {
      const bytes = Buffer.from(lines.map((text) => `${text}\n`).join(""));
      const ends = [...where.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
      const tagger = new LineTagger("7 ");
      const tagged = ends.map((end, index) => tagger.push(bytes.subarray(ends[index - 1] ?? 0, end)));
      expect(Buffer.concat(tagged).toString()).toBe(
        Buffer.from(lines.map((text) => `7 ${text}\n`).join("")).toString(),
      );
    }),
  );
});

test("the beginning of a line waits for its end", () => {
  const tagger = new LineTagger("- ");
  expect(
    ["a", "b", "\n", "c"].map((letter) => Buffer.from(tagger.push(Buffer.from(letter))).toString()),
  ).toEqual(["", "", "- ab\n", ""]);
});

test("a stream without ends of lines does not fill the memory", () => {
  const tagger = new LineTagger("0 ");
  const chunk = Buffer.alloc(2 ** 20);
  expect(() => {
    for (let count = 0; count < 17; count++) tagger.push(chunk);
  }).toThrow("a line is longer than 16777216 bytes");
});
