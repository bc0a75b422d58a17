import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { membersOf } from "./members.ts";
import { findDeclared, readModule } from "./read-module.ts";

/** The members of `Shown` in a module of this text, beside a module `other.ts`. */
function members(text: string, other = ""): readonly string[] | undefined {
  const folder = mkdtempSync(path.join(tmpdir(), "trimtab-reference-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(path.join(folder, "shown.ts"), text);
  writeFileSync(path.join(folder, "other.ts"), other);
  const declared = findDeclared(readModule(path.join(folder, "shown.ts")), "Shown");
  const found = declared === undefined ? [] : membersOf(declared);
  return found?.map(({ signature, comment }) => (comment === "" ? signature : `${signature} — ${comment}`));
}

test.for([
  {
    name: "an interface has its own members, with their comments",
    text: "export interface Shown {\n  /** Why. */\n  readonly a?: readonly string[];\n  b(c: number): void;\n}",
    want: ["a?: string[] — Why.", "b(c: number): void"],
  },
  {
    name: "what it takes from another module is its own, too",
    text: 'import type { Base } from "./other.ts";\nexport interface Shown extends Partial<Pick<Base, "a" | "b">> { c: 1 }',
    other:
      "/** Not this. */\nexport interface Base {\n  /** Why. */\n  a: string;\n  b?: string;\n  left: string;\n}",
    want: ["c: 1", "a?: string — Why.", "b?: string"],
  },
  {
    name: "a type of parts has those of all of them",
    text: 'import { type Base } from "./other.ts";\nexport type Shown = Omit<Base, "b"> & { c: 1 };',
    other: "export interface Base { a: string; b: string }",
    want: ["a: string", "c: 1"],
  },
  {
    name: "a class has what its users see",
    text: "export class Shown {\n  #a = 1;\n  private b = 2;\n  /** How. */\n  async c(d: string): Promise<void> { return; }\n}",
    want: ["c(d: string): Promise<void> — How."],
  },
  { name: "a choice has no members", text: 'export type Shown = "a" | "b";', want: undefined },
])("$name", ({ text, other, want }) => {
  expect(members(text, other)).toEqual(want);
});
