import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { packageFolder } from "../../src/cli/installed-package.ts";

const execute = promisify(execFile);
const repository = packageFolder();

/** The programs as they are published, and the folder that `trimtab envtest` wrote for them. */
export interface BundledPrograms {
  /** What `KUBEBUILDER_ASSETS` is set to. */
  readonly assets: string;
  /** The program `trimtab`. */
  readonly main: string;
  readonly remove: () => void;
}

/** Bundles the program of this checkout, and lets it write the folder. */
export async function bundlePrograms(): Promise<BundledPrograms> {
  const build = path.join(repository, ".build");
  mkdirSync(build, { recursive: true });
  // Inside the package, which programs find by its name.
  const folder = mkdtempSync(path.join(build, "envtest-"));
  const bundle = path.join(folder, "cli");
  await execute("nice", [process.execPath, path.join(repository, "scripts/bundle-program.mjs"), bundle]);
  const main = path.join(bundle, "main.js");
  const { stdout } = await execute(process.execPath, [
    main,
    "envtest",
    "--directory",
    path.join(folder, "assets"),
  ]);
  return { assets: stdout.trim(), main, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
