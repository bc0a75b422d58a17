import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { newestKubectl } from "./kubectls.ts";

/** Commands that send no request of their own. */
const local: ReadonlySet<string> = new Set(["completion", "kustomize", "plugin"]);

test.skipIf(newestKubectl().length === 0)("every command of kubectl is typed in some scene", () => {
  const folder = new URL(".", import.meta.url);
  const scenes = readdirSync(folder)
    .filter((name) => name.endsWith(".ts") && name !== "commands.test.ts")
    .map((name) => readFileSync(new URL(name, folder), "utf8"))
    .join("\n");
  const help = newestKubectl().map(({ program }) => execFileSync(program, ["--help"], { encoding: "utf8" }));
  const commands = [...help.join("").matchAll(/^ {2}([a-z-]+) {2,}/gm)].map(([, name = ""]) => name);
  expect(commands.length).toBeGreaterThan(35);
  const typed = (name: string) => new RegExp(`["'\`]${name}[ "'\`]`).test(scenes);
  expect(commands.filter((name) => !typed(name) && !local.has(name))).toEqual([]);
});
