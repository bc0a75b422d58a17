import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { writeEnvtestFolder } from "./envtest-folder.ts";

function someFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "trimtab-envtest-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const places = { version: "0.1.0", node: "/it's/node", bundles: "/program" };

test("the programs are written once, executable, and nothing else is left", () => {
  const parent = someFolder();
  const write = () => writeEnvtestFolder({ parent, platform: "linux", ...places });
  const folder = write();
  expect(path.basename(folder)).toMatch(/^0\.1\.0-[0-9a-f]{12}$/);
  expect(readdirSync(folder).toSorted()).toEqual(["compiled", "etcd", "kube-apiserver", "kubectl"]);
  const programs = ["etcd", "kube-apiserver", "kubectl"].map((name) => path.join(folder, name));
  expect(programs.map((file) => statSync(file).mode & 0o777)).toEqual([0o755, 0o755, 0o755]);
  const [first = ""] = programs;
  writeFileSync(first, "in use");
  expect(write()).toBe(folder);
  expect(readFileSync(first, "utf8")).toBe("in use");
  expect(readdirSync(parent)).toEqual([path.basename(folder)]);
});

test("Node takes the place of the shell, wherever it is", () => {
  const folder = writeEnvtestFolder({ parent: someFolder(), platform: "linux", ...places });
  const text = readFileSync(path.join(folder, "etcd"), "utf8");
  expect(text).toContain(
    String.raw`exec '/it'\''s/node' --max-semi-space-size=2 --optimize-for-size '/program/envtest-etcd.js' "$@"`,
  );
});

test("another Node, or another place of the program, has a folder of its own", () => {
  const parent = someFolder();
  const folders = [places, { ...places, node: "/node" }, { ...places, bundles: "/other" }].map((each) =>
    writeEnvtestFolder({ parent, platform: "darwin", ...each }),
  );
  expect(new Set(folders).size).toBe(3);
});

test("Windows gets files for cmd.exe", () => {
  const folder = writeEnvtestFolder({ parent: someFolder(), platform: "win32", ...places });
  const expected = ["compiled", "etcd.cmd", "kube-apiserver.cmd", "kubectl.cmd"];
  expect(readdirSync(folder).toSorted()).toEqual(expected);
  expect(readFileSync(path.join(folder, "etcd.cmd"), "utf8")).toContain('envtest-etcd.js" %*\r\n');
});

test("a folder that cannot be written is one sentence", () => {
  const file = path.join(someFolder(), "file");
  writeFileSync(file, "");
  expect(() =>
    writeEnvtestFolder({ parent: path.join(file, "envtest"), platform: "linux", ...places }),
  ).toThrow(/^\/.*envtest\/0\.1\.0-\w+ cannot be written: /);
});
