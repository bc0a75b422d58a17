import { expect, test } from "vitest";
import { commandRunOf, containerCommandRun } from "./command-run.ts";

const runs = (afterMs: number, exitCode = 0) => ({ afterMs, exitCode });
const never = runs(Number.POSITIVE_INFINITY);

test.for([
  { line: ["sleep", "300"], want: runs(300_000) },
  { line: ["sleep", "1.5"], want: runs(1500) },
  { line: ["sleep", "1m", "30s"], want: runs(90_000) },
  { line: ["/bin/sleep", "infinity"], want: never },
  { line: ["exit", "3"], want: runs(0, 3) },
  { line: ["true"], want: runs(0) },
  { line: ["/bin/false"], want: runs(0, 1) },
  { line: ["pause"], want: never },
  { line: ["sh", "-c", "exit 1"], want: runs(0, 1) },
  { line: ["sh", "-c", "exit"], want: runs(0) },
  { line: ["sh", "-c", "false; exit"], want: runs(0, 1) },
  { line: ["sh", "-c", "sleep 5"], want: runs(5000) },
  { line: ["/bin/sh", "-c", "sleep 5; exit 7"], want: runs(5000, 7) },
  { line: ["bash", "-c", "sleep 5 && exit 7;"], want: runs(5000, 7) },
  { line: ["sh", "-c", "false && sleep 5"], want: runs(0, 1) },
  { line: ["sh", "-c", "exit 2; sleep 5"], want: runs(0, 2) },
  { line: ["sh", "-c", "sleep infinity; exit 1"], want: never },
  { line: [], want: undefined },
  { line: ["nginx"], want: undefined },
  { line: ["sleep"], want: undefined },
  { line: ["sleep", "$N"], want: undefined },
  { line: ["sh", "-c", "echo hello; sleep 5"], want: undefined },
  { line: ["sh", "-c", "sleep 5 & wait"], want: undefined },
  { line: ["sh", "-c", "exit $CODE"], want: undefined },
  { line: ["sh", "script.sh"], want: undefined },
])("the command line $line runs for and exits with $want", ({ line, want }) => {
  const [first, ...rest] = line;
  expect(containerCommandRun({ name: "c", command: line })).toEqual(want);
  expect(containerCommandRun({ name: "c", args: line })).toEqual(want);
  expect(containerCommandRun({ name: "c", command: first === undefined ? [] : [first], args: rest })).toEqual(
    want,
  );
});

test("containers end with the last of them, and fail if one of them does", () => {
  const container = (...command: string[]) => ({ name: "c", command });
  expect(commandRunOf([container("sleep", "3"), container("exit", "2")])).toEqual(runs(3000, 2));
  expect(commandRunOf([container("sleep", "3"), container("nginx")])).toBeUndefined();
});
