// Recordings are the same in every version of Node. `TRIMTAB_NODES` names other Node programs to compare with, with colons.
import { execFile } from "node:child_process";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { scenarios } from "./scenarios/scenarios.ts";
import { runTrial } from "./run-trial.ts";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));
const others = (process.env["TRIMTAB_NODES"] ?? "").split(path.delimiter).filter((node) => node !== "");
const nodes = [process.execPath, ...others];
const seed = 7;

test.for(scenarios)(
  `$name is the same to the byte, compiled, in ${nodes.length} Node(s)`,
  async (scenario) => {
    const { recording } = await runTrial({ scenario, seed });
    const words = [".build/test/chaos/main.js", "--scenario", scenario.name, "--seed", String(seed)];
    const outputs = await Promise.all(nodes.map((node) => run(node, words, { cwd: root })));
    const digests = outputs.map(({ stdout }) => /digest: (\w+)/.exec(stdout)?.[1]);
    expect(digests).toEqual(nodes.map(() => recording.digest()));
  },
);
