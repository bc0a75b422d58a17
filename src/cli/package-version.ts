import { createRequire } from "node:module";

/** The version in package.json, two levels above the built file and the source alike. */
export function packageVersion(): string {
  const { version } = createRequire(import.meta.url)("../../package.json") as { version: string };
  return version;
}
