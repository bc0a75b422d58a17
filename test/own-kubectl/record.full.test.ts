import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { formatMicroTime } from "../../src/api/time.ts";
import { WallClock } from "../../src/machinery/clock/wall-clock.ts";
import { kubeconfigText } from "../../src/cluster/write-kubeconfig.ts";
import { findKubectls } from "../kubectl/kubectls.ts";
import { openShell } from "../kubectl/shell.ts";
import { type GoldenOutput, readGolden, writeGolden } from "./golden-outputs.ts";
import {
  clusterOf,
  readState,
  type RecordedState,
  runToState,
  stateFile,
  stateText,
} from "./recorded-state.ts";
import { type Session, sessions, type TypedLine } from "./sessions.cases.ts";

const kubectl = findKubectls().find(({ minor }) => minor === "1.33");

/** `TRIMTAB_GOLDEN=write` records all outputs anew, with a state that is as new as they are. */
const isRecording = process.env["TRIMTAB_GOLDEN"] === "write";

describe.skipIf(kubectl === undefined)("kubectl 1.33", () => {
  test.skipIf(!isRecording)("is recorded", { timeout: 600_000 }, async () => {
    const clock = new WallClock();
    const state = await runToState(Math.floor(clock.now() / 1000) * 1000);
    mkdirSync(path.dirname(stateFile), { recursive: true });
    writeFileSync(stateFile, stateText(state));
    for (const session of sessions) writeGolden(session.name, await record(session, state));
  });

  test.skipIf(isRecording).for(["tables", "nodes"])("prints what was recorded of %s", async (name) => {
    const session = sessions.find((each) => each.name === name);
    const again = session === undefined ? [] : await record(session, readState());
    const untimed = (outputs: readonly GoldenOutput[]) =>
      outputs.map(({ words, code, out, err }) => ({ words, code, out, err }));
    expect(untimed(again)).toEqual(untimed(readGolden(name)));
  });
});

async function record({ lines }: Session, state: RecordedState): Promise<readonly GoldenOutput[]> {
  if (kubectl === undefined) return [];
  const clock = new WallClock();
  const cluster = await clusterOf(state, "https");
  if (cluster.access === undefined) throw new Error("the cluster does not listen");
  const shell = openShell(kubectl, kubeconfigText(cluster.access));
  const outputs: GoldenOutput[] = [];
  for (const line of lines) {
    const { words, input, edit }: TypedLine = typeof line === "string" ? { words: line } : line;
    const at = formatMicroTime(clock.now());
    const editor = edit && `sed -i s/${edit[0]}/${edit[1]}/`;
    const { code, out, err } = await shell.run(words, { input, editor });
    const plain = (text: string) =>
      text
        .replaceAll(cluster.access?.url ?? "", "https://localhost")
        .replaceAll(/kubectl\.1\.33/g, "kubectl");
    outputs.push({ words, at, code, out: plain(out), err: plain(err) });
  }
  shell.close();
  await cluster.stop();
  return outputs;
}
