import { execFileSync } from "node:child_process";
import { accessSync, constants, realpathSync } from "node:fs";
import path from "node:path";
import { perTier } from "../tier.ts";

/** A kubectl program and its version. */
export interface Kubectl {
  readonly program: string;
  /** `1.33`. */
  readonly minor: string;
}

/** Every kubectl named in TRIMTAB_KUBECTL (colon-separated), else the one on the PATH; each version once, newest first. */
export function findKubectls(): readonly Kubectl[] {
  found ??= look();
  return found;
}

/** Cached: running each program for its version is slow. */
let found: readonly Kubectl[] | undefined;

function look(): readonly Kubectl[] {
  const named = (process.env["TRIMTAB_KUBECTL"] ?? "").split(":").filter((program) => program !== "");
  const programs = named.length > 0 ? named : onPath("kubectl");
  const byVersion = new Map<string, Kubectl>();
  for (const program of programs) {
    const minor = versionOf(program);
    if (minor !== undefined && !byVersion.has(minor)) byVersion.set(minor, { program, minor });
  }
  return [...byVersion.values()].sort((a, b) => (isOlder(a.minor, b.minor) ? 1 : -1));
}

/** Whether one version came before another: `1.9` before `1.27`. */
export function isOlder(minor: string, other: string): boolean {
  return Number(minor.split(".")[1]) < Number(other.split(".")[1]);
}

/** The newest kubectl; an empty list when there is none. */
export function newestKubectl(): readonly Kubectl[] {
  return findKubectls().slice(0, 1);
}

/** The kubectls a suite runs with: the newest in `unit`, all of them in `full`. */
export function kubectlsOfTier(): readonly Kubectl[] {
  return perTier({ unit: newestKubectl(), full: findKubectls() });
}

function versionOf(program: string): string | undefined {
  try {
    const answer = execFileSync(program, ["version", "--client", "-o", "json"], { encoding: "utf8" });
    const version = JSON.parse(answer) as { clientVersion: { gitVersion: string } };
    return /^v(\d+\.\d+)/.exec(version.clientVersion.gitVersion)?.[1];
  } catch {
    return undefined; // not a kubectl, or not for this machine
  }
}

function onPath(name: string): readonly string[] {
  for (const folder of (process.env["PATH"] ?? "").split(path.delimiter)) {
    const candidate = path.join(folder, name);
    try {
      accessSync(candidate, constants.X_OK);
      return [realpathSync(candidate)];
    } catch {
      continue;
    }
  }
  return [];
}
