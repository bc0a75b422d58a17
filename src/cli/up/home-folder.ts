import os from "node:os";

/** A user that has no home, as in containers, gets the folder for temporary files. */
export function homeFolder(): string {
  try {
    return os.homedir();
  } catch {
    return os.tmpdir();
  }
}
