import { messageOf } from "../../../src/api/message-of.ts";
import { type ClusterObjects, collectionNames } from "../../../src/decisions/explain/cluster-objects.ts";
import { objectNames } from "../../../src/cli/explain/object-argument.ts";
import { changeFlags, readChanges } from "../../../src/cli/whatif/change-flags.ts";
import { flagReader, type LineFlags } from "../../../src/kubectl/line/flag.ts";
import { readLine } from "../../../src/kubectl/line/read-line.ts";
import { readClusterObjects } from "../../../src/simulation/snapshot/read-cluster-objects.ts";
import { takeSnapshot } from "../../../src/simulation/snapshot/snapshot.ts";
import { runWhatIf } from "../../../src/simulation/what-if/run-what-if.ts";
import { describeWhatIf } from "../../../src/simulation/what-if/what-if-text.ts";
import { explainFlags, explainIn, topics } from "./explain-line.ts";
import { LineRefusal } from "./line-refusal.ts";
import type { PlaySession } from "./play-session.ts";
import type { LineIo } from "./run-line.ts";

const whatIfFlags: LineFlags = {
  namespace: { type: "string", short: "n", default: "default" },
  output: { type: "string", short: "o", choices: ["wide"] },
  ...Object.fromEntries(Object.keys(changeFlags).map((name) => [name, { type: "array" } as const])),
};

const usage = `trimtab explain scale-down OBJECT --replicas=N
trimtab explain placement OBJECT, or -f manifest.yaml for a Pod that does not exist
trimtab explain rollout OBJECT
trimtab whatif --scale WORKLOAD=N, --drain NODE, --zone-down ZONE, …
`;

/** Runs the words behind `trimtab`, as far as they can be answered in a page; resolves to the exit code. */
export async function runTrimtab(
  [command = "help", ...words]: readonly string[],
  session: PlaySession,
  io: LineIo,
): Promise<number> {
  try {
    io.write({ to: "out", text: `${await answerOf(command, words, { session, io })}\n` });
    return 0;
  } catch (error) {
    if (io.signal.aborted) return 130;
    io.write({ to: "err", text: `trimtab ${command}: ${messageOf(error)}\n` }); // the boundary to the user
    return 2;
  }
}

interface Place {
  readonly session: PlaySession;
  readonly io: LineIo;
}

function answerOf(command: string, words: readonly string[], place: Place): Promise<string> {
  switch (command) {
    case "help":
      return Promise.resolve(usage.trimEnd());
    case "explain":
      return explainLine(words, place);
    case "whatif":
      return whatIf(words, place);
    default:
      throw new LineRefusal("not supported in this page; trimtab help says what is");
  }
}

async function explainLine(words: readonly string[], { session, io }: Place): Promise<string> {
  const objects = await objectsOf(session, io.signal);
  return explainIn(words, { session, objects, manifest: io.manifest });
}

async function whatIf(words: readonly string[], { session, io: { signal } }: Place): Promise<string> {
  const { operands, values } = readLine(words, whatIfFlags, "whatif");
  const [unexpected] = operands;
  if (unexpected !== undefined) throw new LineRefusal(`${unexpected} is no flag; trimtab help has examples`);
  const flags = flagReader(whatIfFlags, values);
  const objects = await objectsOf(session, signal);
  const given = Object.fromEntries(
    Object.keys(changeFlags).flatMap((name) => (flags.isGiven(name) ? [[name, [...flags.list(name)]]] : [])),
  );
  const changes = readChanges(given, { objects, namespace: flags.text("namespace") });
  if (!changes.ok) throw new LineRefusal(changes.problems.join("\n"));
  const report = await runWhatIf({
    snapshot: takeSnapshot(objects, { now: session.clock.now() }),
    changes: changes.changes,
    seed: "1",
    controllers: "embedded",
    gates: session.started.run.gates,
    signal,
  });
  return describeWhatIf(report, { isWide: flags.text("output") === "wide" });
}

async function objectsOf(session: PlaySession, signal: AbortSignal) {
  const scope = { collections: collectionNames, required: [] };
  const read = await readClusterObjects(session.started.cluster.client, scope, signal);
  if (!read.ok) throw new LineRefusal(read.problems.join("\n"));
  return read.objects;
}

/** What may stand in place of the last word behind `trimtab`. */
export async function trimtabWords(
  words: readonly string[],
  session: PlaySession,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const candidates = await candidatesFor(words, () => objectsOf(session, signal));
  return candidates.filter((word) => word.startsWith(words.at(-1) ?? ""));
}

async function candidatesFor(
  [command = "", topicText, ...more]: readonly string[],
  objects: () => Promise<ClusterObjects>,
): Promise<readonly string[]> {
  if (topicText === undefined) return ["explain", "whatif"];
  if (command === "whatif") return Object.keys(changeFlags).map((name) => `--${name}=`);
  if (command !== "explain") return [];
  if (more.length === 0) return topics;
  const topic = topics.find((each) => each === topicText);
  if (topic === undefined) return [];
  const current = more.at(-1) ?? "";
  return current.startsWith("-")
    ? Object.keys(explainFlags).map((name) => `--${name}=`)
    : objectNames(await objects(), topic, current);
}
