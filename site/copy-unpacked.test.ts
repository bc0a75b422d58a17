import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { copyUnpacked } from "./copy-unpacked.ts";

test("compressed files are copied unpacked, by the names that pages ask for", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "trimtab-site-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [from, to] = [path.join(folder, "from"), path.join(folder, "to")];
  mkdirSync(path.join(from, "assets"), { recursive: true });
  writeFileSync(path.join(from, "index.html"), "page");
  writeFileSync(path.join(from, "assets/main.js.gz"), gzipSync("script"));
  copyUnpacked(from, to);
  expect(readdirSync(path.join(to, "assets"))).toEqual(["main.js"]);
  const copied = ["index.html", "assets/main.js"].map((name) => readFileSync(path.join(to, name), "utf8"));
  expect(copied).toEqual(["page", "script"]);
  expect(readdirSync(path.join(from, "assets"))).toEqual(["main.js.gz"]);
});
