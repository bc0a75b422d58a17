import { existsSync, readFileSync, writeFileSync } from "node:fs";

/** A command and its output. */
export interface CommandOutput {
  readonly command: string;
  readonly output: string;
}

/** A command and its output by kubectl versions; the output without versions is that of all others. */
interface Entry {
  readonly command: string;
  readonly answers: readonly { readonly minors: readonly string[]; readonly said: string }[];
}

const header = /^\$ kubectl(?:-(\S+))? (.*)$/;

/** The recorded transcript of a session for a version of kubectl; empty when nothing is recorded. */
export function goldenTranscript(file: string, minor: string): string {
  const answerOf = ({ command, answers }: Entry): CommandOutput => {
    const own = answers.find(({ minors }) => minors.includes(minor));
    return { command, output: (own ?? answers.find(({ minors }) => minors.length === 0))?.said ?? "" };
  };
  return transcript(readEntries(file).map(answerOf));
}

/** The transcript of a session, as in a terminal. */
export function transcript(session: readonly CommandOutput[]): string {
  return session.map((each) => `$ kubectl ${each.command}\n${repeatable(each)}`).join("\n");
}

/** The output without what depends on speed: of an object that is gone already, `kubectl wait` prints nothing. */
function repeatable({ command, output }: CommandOutput): string {
  return command.startsWith("wait --for=delete") ? output.replaceAll(/^\S+ condition met\n/gm, "") : output;
}

/**
 * Records a session. The output of the newest kubectl is that of all versions; where another version prints something
 * else, its output is recorded under its version.
 */
export function recordSession(
  file: string,
  speaker: RecordedVersion,
  session: readonly CommandOutput[],
): void {
  const known = readEntries(file);
  const entries = session.map(({ command, output }, index): Entry => {
    const before = known[index];
    const answers = before?.command === command ? before.answers : [];
    return { command, answers: withAnswer(answers, speaker, output) };
  });
  writeFileSync(file, entries.flatMap(textsOf).join("\n"));
}

export interface RecordedVersion {
  readonly minor: string;
  readonly isNewest: boolean;
}

function withAnswer(
  known: Entry["answers"],
  { minor, isNewest }: RecordedVersion,
  said: string,
): Entry["answers"] {
  const ofAll = isNewest
    ? { minors: [], said }
    : (known.find(({ minors }) => minors.length === 0) ?? { minors: [], said });
  const ofSome = known
    .map((answer) => ({ ...answer, minors: answer.minors.filter((other) => other !== minor) }))
    .filter((answer) => answer.minors.length > 0 && answer.said !== ofAll.said);
  if (said === ofAll.said) return [ofAll, ...ofSome];
  const same = ofSome.find((answer) => answer.said === said);
  const minors = [...(same?.minors ?? []), minor].sort();
  return [ofAll, ...ofSome.filter((answer) => answer !== same), { minors, said }];
}

function textsOf({ command, answers }: Entry): string[] {
  return answers.map(({ minors, said }) => {
    const versions = minors.length === 0 ? "" : `-${minors.join(",")}`;
    return `$ kubectl${versions} ${command}\n${said}`;
  });
}

function readEntries(file: string): readonly Entry[] {
  if (!existsSync(file)) return [];
  const entries: Entry[] = [];
  const blocks = readFileSync(file, "utf8").split(/\n(?=\$ kubectl)/);
  for (const block of blocks) {
    const [first = "", ...rest] = block.split("\n");
    const [, minors = "", command = ""] = header.exec(first) ?? [];
    const answer = { minors: minors.split(",").filter(Boolean), said: rest.join("\n") };
    const last = entries.at(-1);
    if (last?.command === command && answer.minors.length > 0)
      entries[entries.length - 1] = { command, answers: [...last.answers, answer] };
    else entries.push({ command, answers: [answer] });
  }
  return entries;
}
