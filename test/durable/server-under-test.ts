import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { Pool } from "undici";
import { onTestFinished } from "vitest";
import type { JsonObject } from "../../src/api/json.ts";
import { compiled } from "./compiled.ts";

/** An answer of the server. */
export interface Answer {
  readonly code: number;
  readonly body: JsonObject;
}

/** A server in a process of its own. */
export interface ServerUnderTest {
  readonly pid: number;
  readonly send: (
    method: "GET" | "POST" | "PUT" | "DELETE",
    path: string,
    body?: JsonObject,
  ) => Promise<Answer>;
  /** Calls back with every line of a watch until the connection ends. */
  readonly watch: (path: string, seen: (event: JsonObject) => void) => Promise<void>;
  /** What it has written to its standard error. */
  readonly errors: () => string;
  /** Ends the process at once, as the loss of power would. */
  readonly kill: () => Promise<void>;
}

/** Starts a server over a data directory; resolves when it listens. */
export async function startServer(folder: string): Promise<ServerUnderTest> {
  const child = spawn(process.execPath, [compiled("test/durable/server-process.ts"), folder], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let errors = "";
  child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
  const exited = once(child, "exit");
  onTestFinished(() => void child.kill("SIGKILL"));
  const [line] = (await Promise.race([
    once(createInterface({ input: child.stdout }), "line"),
    exited.then(([code]) => Promise.reject(new Error(`the server ended with ${String(code)}: ${errors}`))),
  ])) as [string];
  const { url, ca, token } = JSON.parse(line) as Record<"url" | "ca" | "token", string>;
  const pool = new Pool(url, { connections: 64, connect: { ca } });
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  return {
    pid: child.pid ?? 0,
    errors: () => errors,
    async send(method, path, sent) {
      const text = sent === undefined ? undefined : JSON.stringify(sent);
      const answer = await pool.request({ method, path, headers, ...(text !== undefined && { body: text }) });
      const answered = await answer.body.text();
      // Paths that are not served are answered in plain text.
      const body = answered.startsWith("{") ? (JSON.parse(answered) as JsonObject) : { message: answered };
      return { code: answer.statusCode, body };
    },
    async watch(path, seen) {
      const { body } = await pool.request({ method: "GET", path, headers });
      try {
        for await (const each of createInterface({ input: body })) seen(JSON.parse(each) as JsonObject);
      } catch {
        // The process was killed, perhaps within a line.
      }
    },
    async kill() {
      child.kill("SIGKILL");
      await exited;
      await pool.destroy();
    },
  };
}
