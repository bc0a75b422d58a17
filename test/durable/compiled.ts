import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { onTestFinished } from "vitest";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));

/** Compiles sources and tests, so that Node can run them as programs. */
export async function compile(): Promise<void> {
  await run(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "tsconfig.tools.json"], {
    cwd: root,
  });
}

/** Where a source file is once it is compiled. */
export function compiled(source: string): string {
  return path.join(root, ".build", source.replace(/\.ts$/, ".js"));
}

/** A folder that is removed after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), "trimtab-durable-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
