import type { Command, Terminal } from "./command.ts";

/** Every command, in the order help shows them. Each is loaded when it is needed: loading all takes longer than most of them run. */
const loaders: Readonly<Record<string, () => Promise<Command>>> = {
  up: async () => (await import("./commands/up.ts")).up,
  list: async () => (await import("./commands/list.ts")).list,
  status: async () => (await import("./commands/status.ts")).status,
  stop: async () => (await import("./commands/stop.ts")).stop,
  reset: async () => (await import("./commands/reset.ts")).reset,
  time: async () => (await import("./commands/time.ts")).time,
  page: async () => (await import("./commands/page.ts")).page,
  playground: async () => (await import("./commands/playground.ts")).playground,
  explain: async () => (await import("./commands/explain.ts")).explain,
  whatif: async () => (await import("./commands/whatif.ts")).whatif,
  wait: async () => (await import("./commands/wait.ts")).wait,
  doctor: async () => (await import("./commands/doctor.ts")).doctor,
  kubectl: async () => (await import("./commands/kubectl.ts")).kubectlOf(runTrimtab),
  snapshot: async () => (await import("./commands/snapshot.ts")).snapshot,
  simulate: async () => (await import("./commands/simulate.ts")).simulate,
  faults: async () => (await import("./commands/faults.ts")).faults,
  envtest: async () => (await import("./commands/envtest.ts")).envtest,
  init: async () => (await import("./commands/init.ts")).init,
  convert: async () => (await import("./commands/convert.ts")).convert,
  controllers: async () => (await import("./commands/controllers.ts")).controllers,
  scheduler: async () => (await import("./commands/scheduler.ts")).scheduler,
  steer: async () => (await import("./commands/steer.ts")).steer,
  install: async () => (await import("./commands/install.ts")).install,
  uninstall: async () => (await import("./commands/uninstall.ts")).uninstall,
  picker: async () => (await import("./commands/picker.ts")).picker,
  example: async () => (await import("./commands/example.ts")).example,
  completion: async () => (await import("./commands/completion.ts")).completionOf(allCommands),
  version: async () => (await import("./commands/version.ts")).version,
};

async function runTrimtab(words: readonly string[], terminal: Terminal): Promise<number> {
  const { runCommand } = await import("./run-command.ts");
  return runCommand(await commandsFor(words), words, terminal);
}

/** Loads every command. */
export function allCommands(): Promise<readonly Command[]> {
  return Promise.all(Object.values(loaders).map((load) => load()));
}

/** Loads the command that a command line names; all of them, where none has that name, to list them or to suggest one. */
export async function commandsFor([name = ""]: readonly string[]): Promise<readonly Command[]> {
  const load = new Map(Object.entries(loaders)).get(name === "--version" ? "version" : name);
  return load === undefined ? allCommands() : [await load()];
}
