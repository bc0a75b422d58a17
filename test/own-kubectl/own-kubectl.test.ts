import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { parseTime } from "../../src/api/time.ts";
import { runKubectl } from "../../src/kubectl/index.ts";
import { failure } from "../../src/kubectl/command-failure.ts";
import { VirtualClock } from "../../src/machinery/clock/virtual-clock.ts";
import { split } from "../kubectl/shell.ts";
import { type Output, readGolden } from "./golden-outputs.ts";
import { clusterOf, readState } from "./recorded-state.ts";
import { type Session, sessions, type TypedLine } from "./sessions.cases.ts";

const state = readState();

describe.each(sessions)("our kubectl prints what kubectl 1.33 printed: $name", (session) => {
  const golden = readGolden(session.name);
  const printed = run(
    session,
    golden.map(({ at }) => at),
  );
  test.for(golden.map((output, index) => ({ index, ...output })))(
    "kubectl $words",
    async ({ index, words, code, out, err }) => {
      expect((await printed)[index]).toEqual({ words, code, out, err });
    },
  );
});

async function run({ lines }: Session, times: readonly string[]): Promise<readonly Output[]> {
  const { server, stop } = await clusterOf(state);
  const open = server.open("kubectl/v1.33");
  const outputs: Output[] = [];
  for (const [index, line] of lines.entries()) {
    const { words, input = "", edit }: TypedLine = typeof line === "string" ? { words: line } : line;
    let [out, err] = ["", ""];
    const clock = new VirtualClock(parseTime(times[index]) ?? 0);
    const ran = runKubectl(split(words), {
      open,
      out: (text) => (out += text),
      err: (text) => (err += text),
      clock,
      signal: new AbortController().signal,
      readFile: (name) => (name === "-" ? Promise.resolve(input) : manifest(name)),
      edit: (text) => Promise.resolve(edit === undefined ? text : text.replace(edit[0], edit[1])),
    });
    // Only lines with a timeout let time pass.
    const code = await (/timeout=\ds/.test(words) ? clock.runUntilSettled(ran) : ran);
    outputs.push({ words, code, out, err });
  }
  await stop();
  return outputs;
}

async function manifest(name: string): Promise<string> {
  try {
    return await readFile(fileURLToPath(new URL(`../kubectl/manifests/${name}`, import.meta.url)), "utf8");
  } catch {
    throw failure(`the path ${JSON.stringify(name)} does not exist`);
  }
}
