import { expect, test } from "vitest";
import { allCommands, commandsFor } from "./commands.ts";

const commands = await allCommands();

test.for(commands)("$name is loaded by itself", async ({ name }) => {
  expect((await commandsFor([name, "--help"])).map((command) => command.name)).toEqual([name]);
});

test.for([[], ["--help"], ["help", "up"], ["lits"], ["constructor"]])(
  "%j needs all commands",
  async (words) => {
    expect((await commandsFor(words)).map(({ name }) => name)).toEqual(commands.map(({ name }) => name));
  },
);

test("--version is a command too", async () => {
  expect((await commandsFor(["--version"])).map(({ name }) => name)).toEqual(["version"]);
});
