import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { homeFolder, ownHomeFolder } from "./home-folder.ts";

function folder() {
  const made = mkdtempSync(path.join(tmpdir(), "trimtab-home-"));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

test("a user with a home keeps files there", () => {
  expect(ownHomeFolder()).toBe(homeFolder());
});

test("a user without a home gets a folder that only that user can enter", () => {
  const wanted = path.join(folder(), "trimtab-7");
  expect(ownHomeFolder(wanted, false)).toBe(wanted);
  expect(statSync(wanted).mode & 0o777).toBe(0o700);
  expect(ownHomeFolder(wanted, false)).toBe(wanted);
});

test.for([
  { name: "that others can write", make: (at: string) => (mkdirSync(at), chmodSync(at, 0o777)) },
  { name: "that others can read", make: (at: string) => (mkdirSync(at), chmodSync(at, 0o755)) },
  { name: "that is a link", make: (at: string) => symlinkSync(folder(), at) },
  { name: "that is a file", make: (at: string) => writeFileSync(at, "") },
])("a user without a home is told about a folder $name", ({ make }) => {
  const wanted = path.join(folder(), "trimtab-7");
  make(wanted);
  expect(() => ownHomeFolder(wanted, false)).toThrow("set HOME to a folder of yours");
});
