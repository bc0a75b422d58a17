import type { FlagReader } from "./line/flag.ts";
import type { KubectlIo } from "./kubectl-io.ts";
import type { Server } from "./server/server.ts";

/** What a command runs with. */
export interface Context extends FlagReader {
  readonly io: KubectlIo;
  readonly server: Server;
  /** The words of the command, `rollout undo` for example. */
  readonly command: string;
  readonly operands: readonly string[];
  /** How many operands stand before `--`; absent: there is no `--`. */
  readonly beforeDash?: number;
  readonly namespace: string;
  readonly isNamespaceGiven: boolean;
}

/** Prints a line to the standard output. */
export function say({ io }: Pick<Context, "io">, line: string): void {
  io.out(`${line}\n`);
}
