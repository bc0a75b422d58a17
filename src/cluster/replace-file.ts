import { chmodSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

/**
 * Writes a file atomically: readers see the old text or the new, and a link at the path is replaced, not followed. The
 * file is made in a folder that only its owner can enter, so that no other user opens it before it has its mode.
 */
export function replaceFile(file: string, text: string, mode = 0o600): void {
  const folder = mkdtempSync(`${file}.`);
  try {
    const made = path.join(folder, "new");
    writeFileSync(made, text, { flag: "wx", mode, flush: true });
    chmodSync(made, mode); // whatever the umask takes away
    renameSync(made, file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
