#!/usr/bin/env node
import { messageOf } from "../api/message-of.ts";
import { visibleText } from "../api/visible-text.ts";
import { hasColours } from "./colours.ts";
import { commandsFor } from "./commands.ts";
import { reportsToStarter, startDetached } from "./named-clusters/detached-process.ts";
import { runCommand } from "./run-command.ts";
import { isInForeground, onEnter } from "./terminal-foreground.ts";

const interrupt = new AbortController();
// A second signal ends the program at once.
const interruptBy = (signal: string) =>
  interrupt.signal.aborted ? process.exit(130) : interrupt.abort(new Error(signal));
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => interruptBy(signal));

const hangUpListeners = new Set<() => void>();
process.on("SIGHUP", () => {
  if (hangUpListeners.size === 0) interruptBy("SIGHUP");
  for (const listener of hangUpListeners) listener();
});
const onHangUp = (listener: () => void) => {
  hangUpListeners.add(listener);
  return () => void hangUpListeners.delete(listener);
};

const starter = reportsToStarter();
const printError = (text: string) => {
  console.error(text);
  starter?.error(text);
};

const words = process.argv.slice(2);
process.exitCode = await runCommand(await commandsFor(words), words, {
  out: (text) => console.log(text),
  err: printError,
  write: (text) => void process.stdout.write(text),
  colours: hasColours(process.stdout, process.env),
  progress: (text) => void (process.stderr.isTTY && console.error(`trimtab: ${text}`)),
  status: (text) => void (process.stderr.isTTY && process.stderr.write(`\r\u001B[2K${text}`)),
  interrupted: interrupt.signal,
  onHangUp,
  ...(isInForeground() && { onEnter }),
  detach: startDetached,
  ...(starter !== undefined && { ready: (text) => starter.ready(text) }),
}).catch((error: unknown) => {
  // An unexpected error is one line; TRIMTAB_DEBUG adds the stack.
  const detail =
    process.env["TRIMTAB_DEBUG"] === undefined ? "" : `\n${error instanceof Error ? error.stack : ""}`;
  printError(visibleText(`trimtab: ${messageOf(error)}${detail}`));
  return 1;
});
