import type { OpenRequest } from "../machinery/client/http/transport.ts";
import type { Clock } from "../machinery/clock/clock.ts";

/** What kubectl reads, writes and asks; none of it needs Node. */
export interface KubectlIo {
  /** Sends a request to the API server, in process or over HTTPS. */
  readonly open: OpenRequest;
  /** Gets the text of the standard output, with its line ends. */
  readonly out: (text: string) => void;
  /** Gets the text of the error output, with its line ends. */
  readonly err: (text: string) => void;
  readonly clock: Clock;
  /** Ends a command that waits or watches. */
  readonly signal: AbortSignal;
  /** Reads a manifest by its name; `-` is the standard input. Absent: no manifest can be read. */
  readonly readFile?: (name: string) => Promise<string>;
  /** Lets the user change a text, and resolves to the changed one. Absent: `edit` is not supported. */
  readonly edit?: (text: string) => Promise<string>;
  /** The namespace of lines without `-n`; absent: `default`. */
  readonly namespace?: string;
  /** Runs `trimtab WORDS…`, for `kubectl trimtab …`; absent: not supported. */
  readonly trimtab?: (words: readonly string[]) => Promise<number>;
}
