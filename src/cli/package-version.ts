import { createRequire } from "node:module";

/** The version in package.json, found by the name of the package, wherever this file is built to. */
export function packageVersion(): string {
  const { version } = createRequire(import.meta.url)("trimtab/package.json") as { version: string };
  return version;
}
