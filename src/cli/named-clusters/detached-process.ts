import { spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import path from "node:path";
import { isJsonObject } from "../../api/json.ts";
import { makeFolder } from "../../cluster/make-folder.ts";
import type { Detached, DetachOptions } from "../command.ts";

/** Tells the program that it was started in the background, and reports to the one that started it. */
const marker = "TRIMTAB_DETACHED";

/**
 * Starts this program again in the background; resolves when it is ready, or has ended before that. It goes on when this
 * process and its terminal end.
 */
export function startDetached(words: readonly string[], options: DetachOptions): Promise<Detached> {
  const { log, workingDirectory, signal } = options;
  makeFolder(path.dirname(log));
  const file = openSync(log, "a", 0o600);
  const [, program = ""] = process.argv;
  const child = spawn(process.execPath, [...process.execArgv, program, ...words], {
    cwd: workingDirectory,
    env: { ...process.env, [marker]: "1" },
    detached: true,
    stdio: ["ignore", file, file, "ipc"],
  });
  closeSync(file);
  const errors: string[] = [];
  const stop = () => void child.kill("SIGTERM");
  signal.addEventListener("abort", stop, { once: true });
  return new Promise((resolve) => {
    const settle = (outcome: Detached) => {
      signal.removeEventListener("abort", stop);
      resolve(outcome);
    };
    child.on("message", (message) => {
      const { ready, error } = isJsonObject(message) ? message : {};
      if (typeof error === "string") errors.push(error);
      if (typeof ready !== "string") return;
      child.disconnect();
      child.unref();
      settle({ ok: true, text: ready });
    });
    child.on("error", (error) => settle({ ok: false, errors: [error.message] }));
    // Waits for `close` rather than `exit`, since messages sent before the exit may still be unread.
    child.on("close", () => settle({ ok: false, errors }));
  });
}

/** How a program that runs in the background reports; `undefined` where it does not. */
export function reportsToStarter(): { ready(text: string): void; error(text: string): void } | undefined {
  if (process.env[marker] === undefined || process.send === undefined) return undefined;
  const send = (message: object) => void (process.connected && process.send?.(message));
  return { ready: (text) => send({ ready: text }), error: (text) => send({ error: text }) };
}
