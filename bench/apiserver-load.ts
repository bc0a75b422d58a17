import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { Pool } from "undici";

/** The server under load. */
interface Target {
  readonly url: string;
  readonly ca: string;
  readonly token: string;
}

export type Load =
  /** Creates these bodies over 64 connections; before that, uncounted, those that open the connections and warm the client up. */
  | {
      readonly kind: "creates";
      readonly path: string;
      readonly warmUp: readonly string[];
      readonly bodies: readonly string[];
    }
  /** Reads an answer to its last byte, so many times. */
  | { readonly kind: "reads"; readonly path: string; readonly times: number }
  /** Opens watches, reports when all are open, and ends when each has heard so many events. */
  | { readonly kind: "watches"; readonly path: string; readonly watchers: number; readonly events: number };

export interface LoadResult {
  /** Of the whole, in milliseconds. */
  readonly tookMs: number;
  /** Of each request, or each event on its way to each watcher. */
  readonly latenciesMs: readonly number[];
}

/** Now, comparable between processes. */
export const now = (): number => performance.timeOrigin + performance.now();

/** The mark an event carries, by which a watcher knows when it was written. */
export const sentMark = "bench.trimtab.dev/sent";

const self = fileURLToPath(import.meta.url);

/** Loads a server from a separate process, so that the client's work is not measured as the server's. */
export function runLoad({ url, ca, token }: Target, load: Load, onOpen?: () => void): Promise<LoadResult> {
  return new Promise((resolve, reject) => {
    const child = fork(self);
    child.on("message", (message: LoadResult | "open") => {
      if (message === "open") onOpen?.();
      else resolve(message);
    });
    child.on("error", reject);
    child.on("exit", () => reject(new Error("the load ended without a result")));
    child.send({ target: { url, ca, token }, load });
  });
}

/** Throws on any other status: refusals are fast and would distort the measure. */
function expectStatus({ statusCode }: { readonly statusCode: number }, wanted: number): void {
  if (statusCode !== wanted) throw new Error(`answered with ${statusCode}`);
}

async function perform(target: Target, load: Load): Promise<LoadResult> {
  const pool = new Pool(target.url, { connections: 64, connect: { ca: target.ca } });
  const headers = { authorization: `Bearer ${target.token}`, "content-type": "application/json" };
  const latenciesMs: number[] = [];
  let start = now();
  switch (load.kind) {
    case "creates": {
      const createAll = async (bodies: readonly string[]) => {
        const waiting = [...bodies];
        const create = async () => {
          for (let body = waiting.pop(); body !== undefined; body = waiting.pop()) {
            const began = now();
            const answer = await pool.request({ path: load.path, method: "POST", headers, body });
            await answer.body.dump();
            expectStatus(answer, 201);
            latenciesMs.push(now() - began);
          }
        };
        await Promise.all(Array.from({ length: 64 }, create));
      };
      await createAll(load.warmUp);
      latenciesMs.length = 0;
      start = now();
      await createAll(load.bodies);
      break;
    }
    case "reads":
      for (let time = 0; time < load.times; time++) {
        const began = now();
        const answer = await pool.request({ path: load.path, method: "GET", headers });
        await answer.body.arrayBuffer();
        expectStatus(answer, 200);
        latenciesMs.push(now() - began);
      }
      break;
    case "watches": {
      const watch = async () => {
        const answer = await pool.request({ path: load.path, method: "GET", headers });
        expectStatus(answer, 200);
        return async () => {
          let heard = 0;
          for await (const chunk of answer.body) {
            const marks = timesIn(chunk as Buffer);
            for (const sentAt of marks) latenciesMs.push(now() - sentAt);
            heard += marks.length;
            if (heard >= load.events) return;
          }
        };
      };
      const readers = await Promise.all(Array.from({ length: load.watchers }, watch));
      process.send?.("open");
      await Promise.all(readers.map((read) => read()));
    }
  }
  const tookMs = now() - start;
  await pool.destroy();
  return { tookMs, latenciesMs };
}

/** The times in a piece of a stream; one that is cut in two is rare and goes uncounted. */
function timesIn(chunk: Buffer): number[] {
  return [...chunk.toString("latin1").matchAll(/"bench\.trimtab\.dev\/sent":"([0-9.]+)"/g)].map(([, time]) =>
    Number(time),
  );
}

async function answer({ target, load }: { readonly target: Target; readonly load: Load }): Promise<void> {
  const result = await perform(target, load);
  process.send?.(result, () => process.disconnect());
}

if (process.argv[1] === self) {
  process.once("message", (message) => void answer(message as Parameters<typeof answer>[0]));
}
