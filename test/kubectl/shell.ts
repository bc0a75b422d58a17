import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Kubectl } from "./kubectls.ts";

export interface Answer {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** A terminal in which only kubectl can be typed, with a home folder of its own. */
export interface Shell {
  readonly kubectl: Kubectl;
  /** Runs `kubectl WORDS…`; `input` is its standard input. */
  readonly type: (words: string, input?: string) => Promise<Answer>;
  readonly close: () => void;
}

/** Opens a terminal that is connected to a cluster. */
export function openShell(kubectl: Kubectl, kubeconfig: string): Shell {
  const home = mkdtempSync(path.join(tmpdir(), "trimtab-kubectl-"));
  const config = path.join(home, "config");
  writeFileSync(config, kubeconfig, { mode: 0o600 });
  const env = { HOME: home, KUBECONFIG: config, PATH: process.env["PATH"] ?? "" };
  return {
    kubectl,
    type: (words, input) =>
      new Promise((resolve) => {
        const child = execFile(
          kubectl.program,
          split(words),
          { env, cwd: home, timeout: 60_000 },
          (error, out, err) => {
            const code = error === null ? 0 : typeof error.code === "number" ? error.code : 1;
            resolve({ code, out, err });
          },
        );
        child.stdin?.end(input ?? "");
      }),
    close: () => rmSync(home, { recursive: true, force: true }),
  };
}

/** Words as a shell splits them, with single and double quotes and nothing else. */
function split(words: string): string[] {
  return [...words.matchAll(/(?:[^\s'"]+|'[^']*'|"[^"]*")+/g)].map(([word]) =>
    word.replaceAll(
      /'([^']*)'|"([^"]*)"/g,
      (_quoted, single: string | undefined, double: string | undefined) => single ?? double ?? "",
    ),
  );
}
