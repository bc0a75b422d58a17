import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

// `npm run faults:operators -- [--seeds N]`: each operator with its mistake, until a seed finds it, and without it over
// all seeds, side by side. Exit code 1 when a mistake is not found, or a corrected operator fails.

const built = fileURLToPath(new URL("../../", import.meta.url));
const { seeds } = parseArgs({ options: { seeds: { type: "string", default: "200" } } }).values;
const mostSeedsForMistake = "50";

/** Runs an operator under faults, and prints what comes of it; resolves to the exit code. */
function runOperator(name: string, variant: "mistaken" | "corrected"): Promise<number> {
  const limits =
    variant === "mistaken" ? ["--seeds", mostSeedsForMistake, "--until-failure"] : ["--seeds", seeds];
  const program = `${built}test/faults/operators/operator-process.js`;
  const words = [
    "faults",
    "run",
    "--agent",
    "operator",
    ...limits,
    "--",
    process.execPath,
    program,
    name,
    variant,
  ];
  const child = spawn(process.execPath, [`${built}src/cli/main.js`, ...words]);
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (text: Buffer) => (output += text.toString()));
  return new Promise((resolve) => {
    child.on("close", (code) => {
      console.log(`== ${name}, ${variant}\n${output}`);
      resolve(code ?? 1);
    });
  });
}

const names = ["double-creation", "lost-finalizer", "ignored-conflict"];
const ended = await Promise.all(
  names.map(async (name) => ({
    isFound: (await runOperator(name, "mistaken")) === 1,
    survives: (await runOperator(name, "corrected")) === 0,
  })),
);
process.exitCode = ended.every(({ isFound, survives }) => isFound && survives) ? 0 : 1;
