import type { Completion, Written } from "../messages.ts";
import { loadLater } from "./later.ts";
import type { PlaySession } from "./play-session.ts";

/** Where a line of the terminal writes, what it reads, and what ends it. */
export interface LineIo {
  readonly write: (written: Written) => void;
  readonly signal: AbortSignal;
  /** What `-f manifest.yaml` reads. */
  readonly manifest: string;
  /** Lets the reader change a text; nothing where the reader cancels. */
  readonly edit: (text: string) => Promise<string | undefined>;
}

const help = `kubectl VERB …      as ever; kubectl help names the verbs
k VERB …            the same
trimtab explain …   who a scale-down removes, where a Pod goes, what a rollout waits for
trimtab whatif …    what comes of a change, before it is made
clear               an empty terminal
-f manifest.yaml is what the panel Manifests has.
`;

/** Runs a line of the terminal; resolves to its exit code. */
export async function runLine(line: string, session: PlaySession, io: LineIo): Promise<number> {
  const [program = "", ...rest] = wordsOf(line);
  if (program === "help") {
    io.write({ to: "out", text: help });
    return 0;
  }
  if (program === "kubectl" || program === "k") return (await programs()).kubectl(rest, session, io);
  if (program === "trimtab") return (await programs()).trimtab(rest, session, io);
  io.write({ to: "err", text: `${program}: not found: try help\n` });
  return 127;
}

/** Finds what may stand in place of the last word of a line. */
export async function completeLine(
  line: string,
  session: PlaySession,
  signal: AbortSignal,
): Promise<Completion> {
  const words = [...wordsOf(line), ...(/(^|\s)$/.test(line) ? [""] : [])];
  const current = words.at(-1) ?? "";
  return { current, words: await (await programs()).completeTerminalLine(words, session, signal) };
}

/** Writes what users have made as one file of manifests. */
export async function manifestsOf(session: PlaySession, signal: AbortSignal): Promise<string> {
  return (await programs()).exportManifests(session, signal);
}

/** What people write in the panel Manifests: applied, checked and completed. */
export async function manifestTexts() {
  const { applyText, checkText, wordsOfText } = await programs();
  return { applyText, checkText, wordsOfText };
}

let loading: ReturnType<typeof load> | undefined;

async function load() {
  await loadLater();
  return import("./programs.ts");
}

const programs = () => (loading ??= load());

/** Loads what lines need once the cluster is there, not before it: the network may be gone when the first line is written. */
export function loadTerminal(): void {
  programs().catch(() => (loading = undefined)); // the first line tries again, and says why it fails
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
