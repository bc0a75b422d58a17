import { createRequire } from "node:module";
import path from "node:path";

/** The folder of the bundle of the page. */
export function pageFolder(): string {
  return builtFolder("ui");
}

/** The folder of the script and the style of reports. */
export function reportFolder(): string {
  return builtFolder("report");
}

/** Found by the name of the package, wherever this file is built to. */
function builtFolder(name: string): string {
  const manifest = createRequire(import.meta.url).resolve("trimtab/package.json");
  return path.join(path.dirname(manifest), "dist", name);
}
