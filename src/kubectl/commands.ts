import { describe } from "./commands/describe.ts";
import { get } from "./commands/get.ts";
import type { KubectlCommand } from "./kubectl-command.ts";

/** Every command, by its name. */
export const commands: Readonly<Record<string, KubectlCommand>> = { get, describe };
