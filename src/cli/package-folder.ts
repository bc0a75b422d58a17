import { createRequire } from "node:module";
import path from "node:path";

/** The folder of the package, found by its name: this code runs as a source, compiled, or in a bundle. */
export function packageFolder(): string {
  return path.dirname(createRequire(import.meta.url).resolve("trimtab/package.json"));
}
