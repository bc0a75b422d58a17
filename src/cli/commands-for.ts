import type { Command } from "./command.ts";

/** How each command is loaded by itself; `completion` needs all of them. */
const loaders: ReadonlyMap<string, () => Promise<Command>> = new Map([
  ["controllers", async () => (await import("./commands/controllers.ts")).controllers],
  ["example", async () => (await import("./commands/example.ts")).example],
  ["explain", async () => (await import("./commands/explain.ts")).explain],
  ["install", async () => (await import("./commands/install.ts")).install],
  ["list", async () => (await import("./commands/list.ts")).list],
  ["picker", async () => (await import("./commands/picker.ts")).picker],
  ["page", async () => (await import("./commands/page.ts")).page],
  ["reset", async () => (await import("./commands/reset.ts")).reset],
  ["scheduler", async () => (await import("./commands/scheduler.ts")).scheduler],
  ["simulate", async () => (await import("./commands/simulate.ts")).simulate],
  ["snapshot", async () => (await import("./commands/snapshot.ts")).snapshot],
  ["status", async () => (await import("./commands/status.ts")).status],
  ["steer", async () => (await import("./commands/steer.ts")).steer],
  ["stop", async () => (await import("./commands/stop.ts")).stop],
  ["time", async () => (await import("./commands/time.ts")).time],
  ["uninstall", async () => (await import("./commands/uninstall.ts")).uninstall],
  ["up", async () => (await import("./commands/up.ts")).up],
  ["version", async () => (await import("./commands/version.ts")).version],
  ["whatif", async () => (await import("./commands/whatif.ts")).whatif],
]);

/**
 * The commands that a command line needs: the one it names, or all, to list them or to find the one that was meant. Most
 * of the time of `trimtab list` would pass with loading the others.
 */
export async function commandsFor([name = ""]: readonly string[]): Promise<readonly Command[]> {
  const load = loaders.get(name === "--version" ? "version" : name);
  return load === undefined ? (await import("./commands.ts")).commands : [await load()];
}
