import { expect, test } from "vitest";
import { runCommand } from "../run-command.ts";
import { faults } from "./faults.ts";

/** Types `trimtab faults WORDS…`. */
async function typed(...words: readonly string[]) {
  const printed: string[] = [];
  const print = (text: string) => void printed.push(text);
  const interrupted = new AbortController().signal;
  const code = await runCommand([faults], ["faults", ...words], { out: print, err: print, interrupted });
  return { code, text: printed.join("\n") };
}

test.for([
  { words: ["run"], error: "a command is missing: trimtab faults run -- go test ./..." },
  { words: ["list", "--", "true"], error: "the only thing to do with faults is: run -- COMMAND…" },
  { words: ["run", "go", "--", "true"], error: "only the command behind -- has operands" },
  { words: ["run", "--seeds", "0", "--", "true"], error: "--seeds must be a number from 1 to 1000000000" },
  {
    words: ["run", "--profile", "gentel", "--", "true"],
    error: '--profile: unknown profile or fault "gentel"; did you mean "gentle"?',
  },
  {
    words: ["run", "--timeout", "5", "--", "true"],
    error: "--timeout must be a duration above 0, such as 90s or 10m",
  },
  {
    words: ["run", "--user", "a,b", "--", "true"],
    error: "--user must not be empty, and must not have a comma",
  },
  { words: ["run", "--only", "nowhere.json", "--", "true"], error: "--only nowhere.json: no such file" },
])("$words is refused: $error", async ({ words, error }) => {
  expect(await typed(...words)).toEqual({ code: 1, text: `trimtab faults: ${error}` });
});

test("words behind -- are of the command, also those that would ask for help", async () => {
  const { text } = await typed("run", "--seeds", "0", "--", "program", "--help");
  expect(text).toBe("trimtab faults: --seeds must be a number from 1 to 1000000000");
});
