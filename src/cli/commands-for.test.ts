import { expect, test } from "vitest";
import { commandsFor } from "./commands-for.ts";
import { commands } from "./commands.ts";

test.for(commands.filter(({ name }) => name !== "completion"))(
  "$name is loaded by itself",
  async (command) => {
    expect(await commandsFor([command.name, "--help"])).toEqual([command]);
  },
);

test.for([[], ["--help"], ["help", "up"], ["completion", "bash"], ["lits"]])(
  "%j needs all commands",
  async (words) => {
    expect(await commandsFor(words)).toBe(commands);
  },
);

test("--version is a command too", async () => {
  expect((await commandsFor(["--version"])).map(({ name }) => name)).toEqual(["version"]);
});
