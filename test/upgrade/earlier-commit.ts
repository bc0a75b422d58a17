import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { packageFolder } from "../../src/cli/installed-package.ts";

const run = promisify(execFile);

/** Of 2026-11-18, with the programs that are compared: a data directory, named clusters and `trimtab steer`. */
const earlier = "2251338c";

/** Whether this is a clone with the history that is needed; shallow ones and packages have none. */
export function hasEarlierCommit(): boolean {
  const words = ["cat-file", "-e", `${earlier}^{commit}`];
  return spawnSync("git", words, { cwd: packageFolder(), stdio: "ignore" }).status === 0;
}

/** The program `trimtab` as it was. */
export interface EarlierProgram {
  /** The file to start with Node. */
  readonly file: string;
  readonly remove: () => Promise<void>;
}

/** Checks the earlier commit out beside this one, and bundles its program with the packages of today. */
export async function buildEarlier(): Promise<EarlierProgram> {
  const cwd = packageFolder();
  const folder = mkdtempSync(path.join(tmpdir(), "trimtab-earlier-"));
  const source = path.join(folder, "source");
  const remove = async () => {
    await run("git", ["worktree", "remove", "--force", source], { cwd });
    rmSync(folder, { recursive: true, force: true });
  };
  await run("git", ["worktree", "add", "--detach", source, earlier], { cwd });
  try {
    symlinkSync(path.join(cwd, "node_modules"), path.join(source, "node_modules"));
    const file = path.join(source, "dist/cli/main.js");
    await run(process.execPath, [path.join(source, "scripts/bundle-program.mjs")], { cwd: source });
    return { file, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}
