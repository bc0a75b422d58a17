import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { allCommands } from "../commands.ts";
import { runCommand } from "../run-command.ts";

const commands = await allCommands();

async function type(...words: readonly string[]) {
  const [out, err]: [string[], string[]] = [[], []];
  const { signal: interrupted } = new AbortController();
  const code = await runCommand(commands, words, {
    out: (text) => out.push(text),
    err: (text) => err.push(text),
    interrupted,
  });
  return { code, out: out.join("\n"), err: err.join("\n") };
}

test.for(["bash", "zsh", "fish"])("the completion of %s knows every command and flag", async (shell) => {
  const { code, out } = await type("completion", shell);
  expect(code).toBe(0);
  for (const { name, flags } of commands) {
    expect(out).toContain(name);
    for (const flag of Object.keys(flags))
      expect(out).toContain(shell === "fish" ? `-l ${flag}` : `--${flag}`);
  }
});

test.for([[], ["tcsh"], ["bash", "zsh"]])("trimtab completion %s is one sentence", async (words) => {
  expect(await type("completion", ...words)).toEqual({
    code: 1,
    out: "",
    err: "trimtab completion: one shell is needed: bash, zsh, fish",
  });
});

const runIn = (shell: string, ...args: readonly string[]) => spawnSync(shell, args, { encoding: "utf8" });
const isInstalled = (shell: string) => runIn(shell, "--version").status === 0;

test.skipIf(!isInstalled("bash")).for([
  { line: ["trimtab", "co"], want: ["controllers", "convert", "completion"] },
  { line: ["trimtab", "up", "--zon"], want: ["--zones"] },
  { line: ["trimtab", "up", "--log-level", "w"], want: ["warn"] },
  { line: ["trimtab", "up", "--log-level", "=", "d"], want: ["debug"] },
  { line: ["trimtab", "up", "--log-level", "="], want: ["debug", "info", "warn", "error"] },
  { line: ["trimtab", "up", "--nodes", ""], want: [] },
  { line: ["trimtab", "up", "--kubeconfig", "packag"], want: ["package.json", "package-lock.json"] },
  { line: ["trimtab", "up", "tsconfig.j"], want: ["tsconfig.json"] },
  { line: ["trimtab", "completion", ""], want: ["bash", "zsh", "fish"] },
  { line: ["trimtab", "version", ""], want: [] },
  { line: ["trimtab", "nonsense", "--"], want: [] },
])("bash completes $line to $want", async ({ line, want }) => {
  const { out } = await type("completion", "bash");
  const script = `${out}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _trimtab; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = runIn("bash", "--norc", "-c", script, "bash", ...line);
  expect(stderr).toBe("");
  expect(
    stdout
      .split("\n")
      .filter((word) => word !== "")
      .toSorted(),
  ).toEqual(want.toSorted());
});

test.skipIf(!isInstalled("fish")).for([
  { line: "trimtab co", want: ["completion", "controllers"] },
  { line: "trimtab up --zon", want: ["--zones"] },
  { line: "trimtab up --log-level w", want: ["warn"] },
  { line: "trimtab completion ", want: ["bash", "fish", "zsh"] },
])("fish completes $line to $want", async ({ line, want }) => {
  const { out } = await type("completion", "fish");
  // A word, a tab and its description in each line.
  const script = `${out}\ncomplete -C ${JSON.stringify(line)}`;
  const { stdout, stderr } = runIn("fish", "--no-config", "-c", script);
  expect(stderr).toBe("");
  const words = stdout.split("\n").map((found) => found.replace(/\t.*/, ""));
  expect(words).toEqual(expect.arrayContaining(want));
});

test.skipIf(!isInstalled("zsh"))("zsh reads its completion and uses it for trimtab", async () => {
  const { out } = await type("completion", "zsh");
  const script = `autoload -Uz compinit && compinit -D\n${out}\nprint -r -- $_comps[trimtab]`;
  const { stdout, stderr } = runIn("zsh", "-f", "-c", script);
  expect({ stdout, stderr }).toEqual({ stdout: "_trimtab\n", stderr: "" });
});
