import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";

/** A file that is there for one test. */
export function fileOf(content: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), "trimtab-picker-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, "file");
  writeFileSync(file, content);
  return file;
}
