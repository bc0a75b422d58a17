import { existsSync, mkdirSync } from "node:fs";
import path from "node:path";

/**
 * Creates a folder that only its owner can enter. Parents are created one by one, because `recursive` of Node never
 * returns on systems that refuse a folder with ENOENT.
 */
export function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(path.dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // EEXIST: another process was faster.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}
