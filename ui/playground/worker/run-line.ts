import type { Written } from "../messages.ts";
import type { PlaySession } from "./play-session.ts";

/** Where a line of the terminal writes, and what ends it. */
export interface LineIo {
  readonly write: (written: Written) => void;
  readonly signal: AbortSignal;
}

/** Runs a line of the terminal; resolves to its exit code. */
export async function runLine(line: string, _session: PlaySession, { write }: LineIo): Promise<number> {
  const [program = ""] = line.trim().split(/\s+/);
  write({ to: "err", text: `${program}: not supported in this page yet\n` });
  return 1;
}
