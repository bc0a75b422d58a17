import type { Command } from "./command.ts";
import { example } from "./commands/example.ts";
import { version } from "./commands/version.ts";

/** Every command, in the order help shows them. */
export const commands: readonly Command[] = [example, version];
