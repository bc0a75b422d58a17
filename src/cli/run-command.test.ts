import { expect, test } from "vitest";
import type { Command, Flag } from "./command.ts";
import { allCommands } from "./commands.ts";
import { runCommand, helpOf } from "./run-command.ts";

const commands = await allCommands();

const greet: Command = {
  name: "greet",
  summary: "Say hello.",
  operands: "NAME…",
  flags: {
    loud: { type: "boolean", help: "Shout" },
    times: { type: "string", default: "1", value: "N", help: "How often" },
  },
  run: ({ flags, arguments: names }, terminal) => {
    terminal.out(`${names.join("+")} ${String(flags["times"])} ${String(flags["loud"] ?? false)}`);
    return Promise.resolve(7);
  },
};

async function type(words: readonly string[], known: readonly Command[] = [greet]) {
  const out: string[] = [];
  const err: string[] = [];
  const { signal: interrupted } = new AbortController();
  const code = await runCommand(known, words, {
    out: (text) => out.push(text),
    err: (text) => err.push(text),
    interrupted,
  });
  return { code, out: out.join("\n"), err: err.join("\n") };
}

test("a command gets its flags and operands and gives its exit code", async () => {
  expect(await type(["greet", "--times", "3", "ann", "bob"])).toEqual({
    code: 7,
    out: "ann+bob 3 false",
    err: "",
  });
});

test("an unknown command is one sentence and exit code 1", async () => {
  expect(await type(["dance"])).toEqual({
    code: 1,
    out: "",
    err: 'trimtab: unknown command "dance"; trimtab --help lists the commands',
  });
});

test("a mistyped command is answered with the nearest", async () => {
  expect(await type(["Gret"])).toEqual({
    code: 1,
    out: "",
    err: 'trimtab: unknown command "Gret"; did you mean "greet"?',
  });
});

test("a value that looks like a flag is answered with how to write it", async () => {
  expect(await type(["greet", "--times", "-3"])).toMatchObject({
    code: 1,
    err: "trimtab greet: Option '--times' needs a value; one that begins with a dash follows a =",
  });
  expect(await type(["greet", "--times=-3", "ann"])).toMatchObject({ out: "ann -3 false" });
});

test("an unknown flag is one sentence and exit code 1", async () => {
  expect(await type(["greet", "--quiet"])).toMatchObject({
    code: 1,
    err: "trimtab greet: unknown flag --quiet; trimtab greet --help lists the flags",
  });
});

test("a mistyped flag is answered with the nearest", async () => {
  expect(await type(["up", "--node", "3"], commands)).toMatchObject({
    code: 1,
    err: "trimtab up: unknown flag --node; did you mean --nodes?",
  });
});

test("help lists the commands, and the flags of one with their defaults", async () => {
  expect((await type(["--help"])).out).toContain("  greet  Say hello.");
  expect((await type(["greet", "--help"])).out).toBe(
    "Say hello.\n\nUsage: trimtab greet [FLAGS] [NAME…]\n\n  --loud     Shout\n  --times N  How often (default 1)",
  );
});

test("trimtab version prints what package.json says", async () => {
  expect((await type(["version"], commands)).out).toMatch(/^trimtab \d+\.\d+\.\d+/);
});

test("control characters of names are shown and not obeyed, on both streams", async () => {
  expect(await type(["greet", "\u001B]0;owned\u0007"])).toMatchObject({
    out: String.raw`\u001b]0;owned\u0007 1 false`,
  });
  expect((await type(["greet", "--no\u001B[2Jsuch"])).err).toContain(String.raw`\u001b[2J`);
});

test.for<{ name: string; flag: Pick<Flag, "type" | "default">; want: string }>([
  {
    name: "with a default tells it",
    flag: { type: "string", default: "1" },
    want: "--f N  Numbers (default 1)",
  },
  { name: "without a default tells none", flag: { type: "string" }, want: "--f N  Numbers" },
  {
    name: "that is empty by default tells none",
    flag: { type: "string", default: "" },
    want: "--f N  Numbers",
  },
  {
    name: "that is off by default tells none",
    flag: { type: "boolean", default: false },
    want: "--f  Numbers",
  },
])("a flag $name", ({ flag, want }) => {
  const flags = { f: { ...flag, value: "N", help: "Numbers" } };
  const help = helpOf({ name: "count", summary: "Count.", flags, run: async () => 0 });
  expect(help.split("\n").at(-1)?.trim()).toBe(want);
});
