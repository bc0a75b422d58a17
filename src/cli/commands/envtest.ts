import { existsSync, realpathSync } from "node:fs";
import path from "node:path";
import { messageOf } from "../../api/message-of.ts";
import { type Command, reportErrors } from "../command.ts";
import { writeEnvtestFolder } from "../envtest/envtest-folder.ts";
import { flagText } from "../flags/flag-values.ts";
import { packageFolder, packageVersion } from "../installed-package.ts";
import { ownHomeFolder } from "../up/home-folder.ts";

export const envtest: Command = {
  name: "envtest",
  summary:
    "Print the folder of an etcd and a kube-apiserver for envtest: KUBEBUILDER_ASSETS=$(trimtab envtest).",
  flags: {
    directory: {
      type: "string",
      value: "DIR",
      help: "Where the folder of this version is written; default: ~/.cache/trimtab/envtest",
    },
  },
  run({ flags }, terminal) {
    const bundles = bundlesFolder(process.argv);
    if (!existsSync(bundles)) return Promise.resolve(reportErrors(terminal, envtest, [notBuilt(bundles)]));
    try {
      const folder = writeEnvtestFolder({
        parent: path.resolve(flagText(flags, "directory") || cacheFolder(process.env)),
        version: packageVersion(),
        platform: process.platform,
        node: process.execPath,
        bundles,
      });
      terminal.out(folder);
      return Promise.resolve(0);
    } catch (error) {
      // The boundary of the command.
      return Promise.resolve(reportErrors(terminal, envtest, [messageOf(error)]));
    }
  },
};

/** The programs are beside the one that runs, if it is a bundle too; otherwise where the package has its bundles. */
function bundlesFolder([, running = ""]: readonly string[]): string {
  const own = path.dirname(existsSync(running) ? realpathSync(running) : running);
  return existsSync(path.join(own, "envtest-etcd.js")) ? own : path.join(packageFolder(), "dist", "cli");
}

const notBuilt = (bundles: string) => `${bundles} does not exist: npm run build:program writes it`;

/** Where programs keep what they can make again (XDG Base Directory Specification). */
function cacheFolder(env: Readonly<Record<string, string | undefined>>): string {
  const given = env["XDG_CACHE_HOME"] ?? "";
  const caches = path.isAbsolute(given) ? given : path.join(ownHomeFolder(), ".cache");
  return path.join(caches, "trimtab", "envtest");
}
