import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/**
 * Compiles sources and tests once before the full tier, so that Node can run them as programs: suites run at a time, and
 * one would read what another is just writing.
 */
export async function setup(): Promise<void> {
  const cwd = fileURLToPath(new URL("..", import.meta.url));
  await promisify(execFile)(
    process.execPath,
    ["node_modules/typescript/bin/tsc", "-p", "tsconfig.tools.json"],
    { cwd },
  );
}
