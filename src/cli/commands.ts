import type { Command } from "./command.ts";
import { version } from "./commands/version.ts";

/** Every command, in the order help shows them. */
export const commands: readonly Command[] = [version];
