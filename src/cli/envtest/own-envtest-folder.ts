import { existsSync, realpathSync } from "node:fs";
import path from "node:path";
import { packageFolder, packageVersion } from "../installed-package.ts";
import { ownHomeFolder } from "../up/home-folder.ts";
import { writeEnvtestFolder } from "./envtest-folder.ts";

type Variables = Readonly<Record<string, string | undefined>>;

/** The variable in which envtest finds the folder of its programs. */
const assetsVariable = "KUBEBUILDER_ASSETS";

/** Writes the programs of this installation unless they are there, and returns their folder; throws one sentence if it cannot. */
export function ownEnvtestFolder(directory = ""): string {
  const bundles = bundlesFolder(process.argv);
  if (!existsSync(bundles)) throw new Error(notBuilt(bundles));
  return writeEnvtestFolder({
    parent: path.resolve(directory || cacheFolder(process.env)),
    version: packageVersion(),
    platform: process.platform,
    node: process.execPath,
    bundles,
  });
}

/** Returns the variable for a command that starts envtest, unless it is set already. */
export function envtestAssets(env: Variables): Readonly<Record<string, string>> {
  return (env[assetsVariable] ?? "") === "" ? { [assetsVariable]: ownEnvtestFolder() } : {};
}

/** The programs are beside the one that runs, if it is a bundle too; otherwise where the package has its bundles. */
function bundlesFolder([, running = ""]: readonly string[]): string {
  const own = path.dirname(existsSync(running) ? realpathSync(running) : running);
  return existsSync(path.join(own, "envtest-etcd.js")) ? own : path.join(packageFolder(), "dist", "cli");
}

const notBuilt = (bundles: string) => `${bundles} does not exist: npm run build:program writes it`;

/** Where programs keep what they can make again (XDG Base Directory Specification). */
function cacheFolder(env: Variables): string {
  const given = env["XDG_CACHE_HOME"] ?? "";
  const caches = path.isAbsolute(given) ? given : path.join(ownHomeFolder(), ".cache");
  return path.join(caches, "trimtab", "envtest");
}
