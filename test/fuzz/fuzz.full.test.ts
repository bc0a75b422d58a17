import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { targets, type TargetName } from "./targets.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const corpus = path.join(root, "test/fuzz/corpus");
const names = Object.keys(targets) as TargetName[];
const secondsForAll = 60;

test("every target has inputs to begin with", () => {
  expect(readdirSync(corpus).toSorted()).toEqual(names.toSorted());
});

describe("an input of the corpus is read or refused", () => {
  test.for(names.flatMap((name) => readdirSync(path.join(corpus, name)).map((file) => ({ name, file }))))(
    "$name/$file",
    ({ name, file }) => {
      targets[name](readFileSync(path.join(corpus, name, file)));
    },
  );
});

describe("mutations of the corpus are read or refused", () => {
  test.for(names)("%s", async (name) => {
    const program = path.join(root, ".build/test/fuzz/main.js");
    const seconds = String(secondsForAll / names.length);
    // A failure, or a reader that does not return until the timeout, rejects with what was printed.
    const { stdout } = await promisify(execFile)(process.execPath, [program, name, "--seconds", seconds], {
      timeout: 240_000,
    });
    expect(stdout).toMatch(/^\S+: [1-9]\d* executions, [1-9]\d* blocks/);
  });
});
