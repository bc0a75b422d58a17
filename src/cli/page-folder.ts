import { createRequire } from "node:module";
import path from "node:path";

/** The folder of the bundle of the page, found by the name of the package, wherever this file is built to. */
export function pageFolder(): string {
  const manifest = createRequire(import.meta.url).resolve("trimtab/package.json");
  return path.join(path.dirname(manifest), "dist", "ui");
}
