import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

// Small operators in processes of their own, each with a mistake that many make and without it, over HTTPS, on the API
// server that misbehaves. `npm run faults:operators` runs more seeds.

const built = fileURLToPath(new URL("../../.build/", import.meta.url));
const operators = ["double-creation", "lost-finalizer", "ignored-conflict"] as const;

let folder = "";
beforeAll(() => void (folder = mkdtempSync(path.join(tmpdir(), "trimtab-operators-"))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs `trimtab faults run` with an operator; resolves to its exit code and what it printed. */
function runOperator(name: string, variant: "mistaken" | "corrected", ...flags: readonly string[]) {
  const program = path.join(built, "test/faults/operators/operator-process.js");
  const words = [
    "faults",
    "run",
    "--agent",
    "operator",
    ...flags,
    "--",
    process.execPath,
    program,
    name,
    variant,
  ];
  return new Promise<{ readonly code: number; readonly text: string }>((resolve) => {
    execFile(process.execPath, [path.join(built, "src/cli/main.js"), ...words], (error, out, errors) =>
      resolve({ code: error === null ? 0 : 1, text: `${out}${errors}` }),
    );
  });
}

describe.for(operators)("%s", (name) => {
  test("the mistake is found within 50 seeds, and narrowed to one or two faults", async () => {
    const save = path.join(folder, `${name}.json`);
    const { code, text } = await runOperator(name, "mistaken", "--until-failure", "--save", save);
    expect({ code, text }).toEqual({ code: 1, text: expect.stringContaining("without faults: passes") });
    const identities = JSON.parse(readFileSync(save, "utf8")) as readonly string[];
    expect(identities.length).toBeGreaterThan(0);
    expect(identities.length).toBeLessThanOrEqual(2);
  });

  test("without the mistake it survives", async () => {
    const { code, text } = await runOperator(name, "corrected", "--seeds", "3");
    const passes = "It passes with the faults of 3 seeds.";
    expect({ code, text }).toEqual({ code: 0, text: expect.stringContaining(passes) });
  });
});
