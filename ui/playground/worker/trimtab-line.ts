import { messageOf } from "../../../src/api/message-of.ts";
import { type ClusterObjects, collectionNames } from "../../../src/decisions/explain/cluster-objects.ts";
import { explainRollout, type RolloutQuestion } from "../../../src/decisions/explain/explain-rollout.ts";
import {
  explainScaleDown,
  type ScaleDownQuestion,
} from "../../../src/decisions/explain/explain-scale-down.ts";
import { rolloutText } from "../../../src/decisions/explain/rollout-text.ts";
import { scaleDownText } from "../../../src/decisions/explain/scale-down-text.ts";
import { readObject, unknownObject } from "../../../src/cli/explain/object-argument.ts";
import { changeFlags, readChanges } from "../../../src/cli/whatif/change-flags.ts";
import { type FlagReader, flagReader, type LineFlags } from "../../../src/kubectl/line/flag.ts";
import { readLine } from "../../../src/kubectl/line/read-line.ts";
import { readClusterObjects } from "../../../src/simulation/snapshot/read-cluster-objects.ts";
import { takeSnapshot } from "../../../src/simulation/snapshot/snapshot.ts";
import { runWhatIf } from "../../../src/simulation/what-if/run-what-if.ts";
import { describeWhatIf } from "../../../src/simulation/what-if/what-if-text.ts";
import type { PlaySession } from "./play-session.ts";
import type { LineIo } from "./run-line.ts";

const namespaceFlag: LineFlags = { namespace: { type: "string", short: "n", default: "default" } };
const outputFlag: LineFlags = { output: { type: "string", short: "o", choices: ["wide"] } };
const explainFlags: LineFlags = { ...namespaceFlag, ...outputFlag, replicas: { type: "string" } };
const whatIfFlags: LineFlags = {
  ...namespaceFlag,
  ...outputFlag,
  ...Object.fromEntries(Object.keys(changeFlags).map((name) => [name, { type: "array" } as const])),
};

const usage = `trimtab explain scale-down OBJECT --replicas=N
trimtab explain rollout OBJECT
trimtab whatif --scale WORKLOAD=N, --drain NODE, --zone-down ZONE, …
`;

/** Something that is wrong with a line, or not there in this page. */
class Refusal extends Error {}

/** Runs the words behind `trimtab`, as far as they can be answered in a page; resolves to the exit code. */
export async function runTrimtab(
  [command = "help", ...words]: readonly string[],
  session: PlaySession,
  io: LineIo,
): Promise<number> {
  try {
    io.write({ to: "out", text: `${await answerOf(command, words, { session, signal: io.signal })}\n` });
    return 0;
  } catch (error) {
    if (io.signal.aborted) return 130;
    io.write({ to: "err", text: `trimtab ${command}: ${messageOf(error)}\n` }); // the boundary to the user
    return 2;
  }
}

interface Place {
  readonly session: PlaySession;
  readonly signal: AbortSignal;
}

function answerOf(command: string, words: readonly string[], place: Place): Promise<string> {
  switch (command) {
    case "help":
      return Promise.resolve(usage.trimEnd());
    case "explain":
      return explain(words, place);
    case "whatif":
      return whatIf(words, place);
    default:
      throw new Refusal("not supported in this page; trimtab help says what is");
  }
}

async function explain(words: readonly string[], place: Place): Promise<string> {
  const { operands, values } = readLine(words, explainFlags, "explain");
  const flags = flagReader(explainFlags, values);
  const { topic, kind, name } = questionIn(operands);
  const workload = { kind, name, namespace: flags.text("namespace") };
  const { session } = place;
  const objects = await objectsOf(place);
  const known = { workload, now: session.clock.now(), embeddedGates: session.started.run.gates };
  const explained =
    topic === "rollout"
      ? rolloutOf(objects, known, flags)
      : scaleDownOf(objects, { ...known, replicas: replicasIn(flags) }, flags);
  if (explained === undefined) throw new Refusal(unknownObject(objects, workload));
  return explained;
}

/** What `trimtab explain TOPIC OBJECT` asks, as far as a page answers it. */
function questionIn([topic = "", ...named]: readonly string[]) {
  if (topic !== "scale-down" && topic !== "rollout") {
    const asked = topic === "" ? "without a topic" : topic;
    throw new Refusal(
      `${asked}: not supported in this page; scale-down and rollout are, and the view of a Pod explains its placement`,
    );
  }
  const read = readObject(named, topic);
  if (!read.ok) throw new Refusal(read.problem);
  const { kind, name } = read;
  if (kind === "StatefulSet" || kind === "DaemonSet")
    throw new Refusal(`a ${kind}: not supported in this page`);
  return { topic, kind, name };
}

const optionsIn = (flags: FlagReader) => ({ isWide: flags.text("output") === "wide" });

function rolloutOf(objects: ClusterObjects, question: RolloutQuestion, flags: FlagReader) {
  const explanation = explainRollout(objects, question);
  return explanation && rolloutText(explanation, optionsIn(flags));
}

function scaleDownOf(objects: ClusterObjects, question: ScaleDownQuestion, flags: FlagReader) {
  const explanation = explainScaleDown(objects, question);
  return explanation && scaleDownText(explanation, optionsIn(flags));
}

function replicasIn(flags: FlagReader): number {
  const replicas = Number(flags.text("replicas") || "NaN");
  if (!Number.isInteger(replicas) || replicas < 0)
    throw new Refusal("--replicas=N is needed: the size after it");
  return replicas;
}

async function whatIf(words: readonly string[], { session, signal }: Place): Promise<string> {
  const { operands, values } = readLine(words, whatIfFlags, "whatif");
  const [unexpected] = operands;
  if (unexpected !== undefined) throw new Refusal(`${unexpected} is no flag; trimtab help has examples`);
  const flags = flagReader(whatIfFlags, values);
  const objects = await objectsOf({ session, signal });
  const given = Object.fromEntries(
    Object.keys(changeFlags).flatMap((name) => (flags.isGiven(name) ? [[name, [...flags.list(name)]]] : [])),
  );
  const changes = readChanges(given, { objects, namespace: flags.text("namespace") });
  if (!changes.ok) throw new Refusal(changes.problems.join("\n"));
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

async function objectsOf({ session, signal }: Place) {
  const scope = { collections: collectionNames, required: [] };
  const read = await readClusterObjects(session.started.cluster.client, scope, signal);
  if (!read.ok) throw new Refusal(read.problems.join("\n"));
  return read.objects;
}

/** What may stand in place of the last word behind `trimtab`. */
export function trimtabWords(words: readonly string[]): readonly string[] {
  const [command = "", topic] = words;
  const candidates = candidatesFor(command, topic);
  return candidates.filter((word) => word.startsWith(words.at(-1) ?? ""));
}

function candidatesFor(command: string, topic: string | undefined): readonly string[] {
  if (topic === undefined) return ["explain", "whatif"];
  if (command === "whatif") return Object.keys(changeFlags).map((name) => `--${name}=`);
  return command === "explain" ? ["scale-down", "rollout", "--replicas="] : [];
}
