import { createRequire } from "node:module";
import path from "node:path";

/** The folder of the package, found by its name: this code runs as a source, compiled, or in a bundle. */
export function packageFolder(): string {
  return path.dirname(createRequire(import.meta.url).resolve("trimtab/package.json"));
}

/** The version in package.json, found by the name of the package, wherever this file is built to. */
export function packageVersion(): string {
  const { version } = createRequire(import.meta.url)("trimtab/package.json") as { version: string };
  return version;
}

/** The folder of the bundle of the page. */
export function pageFolder(): string {
  return builtFolder("ui");
}

/** The folder of the script and the style of reports. */
export function reportFolder(): string {
  return builtFolder("report");
}

/** The folder of the playground, which any static host can serve too. */
export function playgroundFolder(): string {
  return builtFolder("playground");
}

function builtFolder(name: string): string {
  return path.join(packageFolder(), "dist", name);
}
