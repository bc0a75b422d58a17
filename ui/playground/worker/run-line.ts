import type { Written } from "../messages.ts";
import type { PlaySession } from "./play-session.ts";

/** Where a line of the terminal writes, and what ends it. */
export interface LineIo {
  readonly write: (written: Written) => void;
  readonly signal: AbortSignal;
}

const help = `kubectl VERB …      as ever; kubectl help names the verbs
k VERB …            the same
clear               an empty terminal
`;

/** Runs a line of the terminal; resolves to its exit code. */
export async function runLine(line: string, session: PlaySession, io: LineIo): Promise<number> {
  const words = wordsOf(line);
  const [program = "", ...rest] = words;
  if (program === "help") {
    io.write({ to: "out", text: help });
    return 0;
  }
  if (program === "kubectl" || program === "k") return kubectl(rest, session, io);
  const why =
    program === "trimtab" ? "not supported in this page: Decisions shows the same" : "not found: try help";
  io.write({ to: "err", text: `${program}: ${why}\n` });
  return 127;
}

let loading: ReturnType<typeof load> | undefined;

const load = () =>
  Promise.all([
    import("../../../src/kubectl/index.ts"),
    import("../../../src/cluster/apiserver/open-without-http.ts"),
  ]);

/** Loads what lines need once the cluster is there, not before it: the network may be gone when the first line is written. */
export function loadTerminal(): void {
  loading ??= load();
  loading.catch(() => (loading = undefined)); // the first line tries again, and says why it fails
}

async function kubectl(args: readonly string[], session: PlaySession, io: LineIo): Promise<number> {
  const [{ runKubectl }, { openWithoutHttp }] = await (loading ??= load());
  return runKubectl(args, {
    open: openWithoutHttp(session.started.cluster.api, "browser/any"),
    out: (text) => io.write({ to: "out", text }),
    err: (text) => io.write({ to: "err", text }),
    clock: session.clock,
    signal: io.signal,
  });
}

/** A part of a word: in single quotes, in double quotes, a character behind a backslash, or others. */
const part = String.raw`'[^']*'?|"(?:\\.|[^"\\])*"?|\\.|[^\s'"\\]+`;

/** The words of a line, as a shell splits it: quotes keep spaces, a backslash keeps the next character. */
export function wordsOf(line: string): readonly string[] {
  return [...line.matchAll(new RegExp(`(?:${part})+`, "g"))].map(([word]) =>
    [...word.matchAll(new RegExp(part, "g"))].map(([each]) => unquoted(each)).join(""),
  );
}

function unquoted(each: string): string {
  if (each.startsWith("'")) return each.slice(1).replace(/'$/, "");
  if (each.startsWith('"'))
    return each
      .slice(1)
      .replace(/(?<!\\)"$/, "")
      .replaceAll(/\\(["\\$`])/g, "$1");
  return each.startsWith("\\") ? each.slice(1) : each;
}
