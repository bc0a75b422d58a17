import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { compiled, temporaryFolder } from "../durable/compiled.ts";
import { newestKubectl } from "../kubectl/kubectls.ts";
import { codeBlocks, readPage } from "./markdown.ts";
import { isAsShown } from "./shown-output.ts";

const folder = fileURLToPath(new URL("../../docs/tutorials/", import.meta.url));
const tutorials = readdirSync(folder).filter((file) => file !== "README.md");
const [kubectl] = newestKubectl();
const missing = [
  ...(kubectl === undefined ? ["kubectl"] : []),
  ...["bash", "curl"].filter((program) => spawnSync(program, ["--version"]).status !== 0),
];

/** A block of commands, and what the page says that they print. */
interface Step {
  readonly commands: string;
  readonly shown?: string;
}

function stepsOf(page: string): readonly Step[] {
  const blocks = codeBlocks(page).filter(({ language }) => language === "sh" || language === "text");
  return blocks.flatMap(({ language, text: commands }, index) => {
    const next = blocks[index + 1];
    if (language !== "sh") return [];
    return [{ commands, ...(next?.language === "text" && { shown: next.text }) }];
  });
}

/** A folder where the package is installed, as it were, with the programs that a reader of the tutorials has. */
function openDesk() {
  const home = temporaryFolder();
  const installed = path.join(home, "node_modules", "trimtab");
  mkdirSync(installed, { recursive: true });
  symlinkSync(compiled("src"), path.join(installed, "src"));
  const exports = { "./picker": "./src/picker/index.js" };
  writeFileSync(path.join(installed, "package.json"), JSON.stringify({ name: "trimtab", exports }));
  const programs = path.join(home, "bin");
  mkdirSync(programs);
  const provide = (name: string, command: string) =>
    writeFileSync(path.join(programs, name), `#!/bin/sh\nexec ${command} "$@"\n`, { mode: 0o700 });
  provide("kubectl", `'${kubectl?.program ?? ""}'`);
  provide("trimtab", `'${process.execPath}' '${compiled("src/cli/main.ts")}'`);
  const PATH = [programs, path.dirname(process.execPath), process.env["PATH"]].join(path.delimiter);
  return { cwd: home, env: { HOME: home, PATH, XDG_STATE_HOME: path.join(home, "state"), TZ: "UTC" } };
}

const endOfStep = "\u001e\n";

/** Types all steps into one bash, which ends at the first command that fails; returns what each step printed. */
async function type(steps: readonly Step[]): Promise<readonly string[]> {
  const desk = openDesk();
  const lines = ["set -eo pipefail", ...steps.map(({ commands }) => `${commands}printf '\\036\\n'`)];
  // A group of its own ends with the programs that it left in the background.
  const bash = spawn("bash", ["-c", lines.join("\n")], {
    ...desk,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => {
    if (bash.exitCode === null) endGroup(bash.pid);
    if (bash.exitCode !== 0) spawnSync(path.join(desk.cwd, "bin", "trimtab"), ["stop", "tutorial"], desk);
  });
  const [printed, complaints] = [text(bash.stdout), text(bash.stderr)];
  const [code] = (await once(bash, "exit")) as [number | null];
  endGroup(bash.pid);
  const outputs = (await printed).split(endOfStep);
  if (code === 0) return outputs;
  const failed = steps[outputs.length - 1]?.commands;
  throw new Error(`bash ended with ${code} in\n${failed}it printed\n${outputs.at(-1)}\n${await complaints}`);
}

function endGroup(pid = 0): void {
  try {
    if (pid > 0) process.kill(-pid, "SIGTERM");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error; // ESRCH: nothing was left in it
  }
}

test.for(tutorials)("docs/tutorials/%s: its commands do what it shows", async (file, { skip }) => {
  if (missing.length > 0) return skip(`there is no ${missing.join(" and no ")}`);
  const steps = stepsOf(readPage(`docs/tutorials/${file}`));
  const outputs = await type(steps);
  const different = steps.flatMap(({ commands, shown }, index) => {
    const printed = outputs[index] ?? "";
    return shown === undefined || isAsShown(shown, printed) ? [] : [{ commands, shown, printed }];
  });
  expect(different).toEqual([]);
});
