import type { Command } from "../command.ts";
import { packageVersion } from "../installed-package.ts";

export const version: Command = {
  name: "version",
  summary: "Print the version of trimtab.",
  flags: {},
  run: (_invocation, terminal) => {
    terminal.out(`trimtab ${packageVersion()}`);
    return Promise.resolve(0);
  },
};
