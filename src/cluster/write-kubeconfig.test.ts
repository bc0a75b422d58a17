import type * as Fs from "node:fs";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { kubeconfigText, writeKubeconfig } from "./write-kubeconfig.ts";

/** What another user of the folder does just before each of our calls that make a file. */
const attack = vi.hoisted(() => ({ now: () => {} }));
vi.mock("node:fs", async (original) => {
  const actual = await original<typeof Fs>();
  const { writeFileSync: write, openSync: open, renameSync: rename } = actual;
  return {
    ...actual,
    writeFileSync: (...call: Parameters<typeof write>) => (attack.now(), write(...call)),
    openSync: (...call: Parameters<typeof open>) => (attack.now(), open(...call)),
    renameSync: (...call: Parameters<typeof rename>) => (attack.now(), rename(...call)),
  };
});
afterEach(() => {
  attack.now = () => {};
});

const values = { url: "https://127.0.0.1:6443", ca: "authority", token: "secret" };
const ours = kubeconfigText(values);

function newFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "trimtab-kubeconfig-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test("only its owner can read it, and it is gone at the end", () => {
  const folder = newFolder();
  const file = path.join(folder, "new", "kubeconfig");
  const remove = writeKubeconfig(file, values);
  expect(readFileSync(file, "utf8")).toBe(ours);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(path.dirname(file))).toEqual(["kubeconfig"]);
  remove();
  expect(existsSync(file)).toBe(false);
});

test.for([
  { name: "a link to a file of theirs", plant: (file: string, theirs: string) => symlinkSync(theirs, file) },
  {
    name: "a file that everyone can read",
    plant: (file: string, theirs: string) => {
      writeFileSync(file, "");
      chmodSync(file, 0o666);
      writeFileSync(theirs, "");
    },
  },
])("another user of a shared folder who is quick to put $name there does not get the token", ({ plant }) => {
  const folder = newFolder();
  const [file, theirs] = [path.join(folder, "kubeconfig"), path.join(folder, "theirs")];
  const plantOnce = () => {
    attack.now = () => {}; // what they do is no call of ours
    if (lstatSync(file, { throwIfNoEntry: false }) === undefined) plant(file, theirs);
    attack.now = plantOnce;
  };
  attack.now = plantOnce;
  writeKubeconfig(file, values);
  expect(existsSync(theirs) ? readFileSync(theirs, "utf8") : "").not.toContain("secret");
  expect(lstatSync(file).isFile()).toBe(true);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test("a link is neither followed nor replaced", () => {
  const folder = newFolder();
  const [file, linked] = [path.join(folder, "kubeconfig"), path.join(folder, "linked")];
  writeFileSync(linked, ours);
  symlinkSync(linked, file);
  expect(() => writeKubeconfig(file, values)).toThrow("something that is no file is there");
  expect(readFileSync(linked, "utf8")).toBe(ours);
});

test("what is left of an earlier run is replaced, and another cluster's is not", () => {
  const file = path.join(newFolder(), "kubeconfig");
  writeFileSync(file, ours);
  chmodSync(file, 0o644);
  writeKubeconfig(file, { ...values, token: "newer" });
  expect(readFileSync(file, "utf8")).toContain("newer");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  writeFileSync(file, "current-context: production\n");
  expect(() => writeKubeconfig(file, values)).toThrow("another cluster's is there");
});
