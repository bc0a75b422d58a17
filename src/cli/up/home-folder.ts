import { lstatSync, mkdirSync } from "node:fs";
import os from "node:os";
import path from "node:path";

/** The home of the user; one without a home, as in containers, gets a folder of its own beside the temporary files. */
export function homeFolder(): string {
  return userHome() ?? path.join(os.tmpdir(), `trimtab-${userId()}`);
}

/**
 * Returns the home folder for reading and writing. Other users can create folders beside the temporary files, and a
 * kubeconfig that they can replace leads to a cluster of theirs. Throws one sentence unless the folder is the user's own
 * and closed to others.
 */
export function ownHomeFolder(folder = homeFolder(), isHome = userHome() !== undefined): string {
  if (isHome) return folder;
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  const found = lstatSync(folder);
  const isOwn = found.isDirectory() && found.uid === userId() && (found.mode & 0o077) === 0;
  if (!isOwn)
    throw new Error(
      `${folder} is not a folder that only you can enter, and you have no home: set HOME to a folder of yours`,
    );
  return folder;
}

/** Absent on Windows, where every user has a home. */
const userId = () => process.getuid?.() ?? 0;

function userHome(): string | undefined {
  try {
    const home = os.homedir();
    return home === "" ? undefined : home;
  } catch {
    return undefined; // there is neither HOME nor an entry for the user
  }
}
