import { existsSync, mkdirSync } from "node:fs";
import path from "node:path";

/**
 * Creates a folder, that only its owner can enter unless another mode is given. Parents are created one by one, because `recursive` of Node never
 * returns on systems that refuse a folder with ENOENT.
 */
export function makeFolder(folder: string, mode = 0o700): void {
  if (existsSync(folder)) return;
  makeFolder(path.dirname(folder), mode);
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    // EEXIST: another process was faster.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}
