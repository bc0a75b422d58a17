import { spawnSync } from "node:child_process";
import type { Measure } from "./measure.ts";

/** Runs a bench in its own process, so that memory and compiled code of one do not affect the next. */
export function inProcessOfItsOwn(
  name: string,
  env: Readonly<Record<string, string>> = {},
): readonly Measure[] {
  // The script of this process is the one that runs benches by their name.
  const words = [...process.execArgv, process.argv[1] ?? "", name, "--json"];
  const { stdout, status } = spawnSync(process.execPath, words, {
    encoding: "utf8",
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
    maxBuffer: 2 ** 24,
  });
  if (status !== 0) throw new Error(`the bench ${name} failed`);
  return (JSON.parse(stdout) as { readonly results: readonly Measure[] }).results;
}
