import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Where a source file is once it is compiled, as test/compile-programs.ts does. */
export function compiled(source: string): string {
  return path.join(root, ".build", source.replace(/\.ts$/, ".js"));
}

/** A folder that is removed after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), "trimtab-durable-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
