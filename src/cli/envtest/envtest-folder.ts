import { createHash } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { messageOf } from "../../api/message-of.ts";
import { makeFolder } from "../../cluster/make-folder.ts";
import { kubernetesVersion } from "../../cluster/apiserver/version-facts.ts";
import {
  type ProgramPlaces,
  programs,
  shellKubectl,
  shellText,
  windowsKubectl,
  windowsText,
} from "./program-texts.ts";

export interface EnvtestFolderOptions extends ProgramPlaces {
  /** The folder that has a folder for each version. */
  readonly parent: string;
  /** The version of the product. */
  readonly version: string;
  /** `process.platform`. */
  readonly platform: string;
}

/**
 * Writes the three programs that envtest starts, unless they are there, and returns their folder. Its name says what is in
 * it, so that a suite that runs keeps its programs while another version writes its own. Throws one sentence when the folder cannot be
 * written.
 */
export function writeEnvtestFolder(options: EnvtestFolderOptions): string {
  const files = filesOf(options);
  const hash = createHash("sha256");
  for (const [name, text] of files) hash.update(`${name}\0${text}\0`);
  const name = `${options.version}-${hash.digest("hex").slice(0, 12)}`;
  const folder = path.join(options.parent, name);
  if (existsSync(folder)) return folder;
  try {
    makeFolder(options.parent);
    writeWhole(folder, files);
  } catch (error) {
    throw new Error(`${folder} cannot be written: ${messageOf(error)}`, { cause: error });
  }
  return folder;
}

type Files = ReadonlyMap<string, string>;

function filesOf({ platform, ...places }: EnvtestFolderOptions): Files {
  const isWindows = platform === "win32";
  const known = programs(kubernetesVersion());
  return isWindows
    ? new Map([
        ...known.map((program) => [`${program.name}.cmd`, windowsText(program, places)] as const),
        ["kubectl.cmd", windowsKubectl()],
      ])
    : new Map([
        ...known.map((program) => [program.name, shellText(program, places)] as const),
        ["kubectl", shellKubectl()],
      ]);
}

/** Writes beside the folder and renames, so that other processes see it complete or not at all. */
function writeWhole(folder: string, files: Files): void {
  const made = mkdtempSync(`${folder}.`);
  try {
    for (const [name, text] of files) {
      writeFileSync(path.join(made, name), text);
      chmodSync(path.join(made, name), 0o755); // whatever the umask takes away
    }
    mkdirSync(path.join(made, "compiled"));
    renameSync(made, folder);
  } catch (error) {
    // Another process was faster: its folder is the same.
    if (!existsSync(folder)) throw error;
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}
