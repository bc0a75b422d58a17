import { execFile, spawn } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { Kubectl } from "./kubectls.ts";

export interface Answer {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface Typing {
  /** Standard input. */
  readonly input?: string | undefined;
  /** The editor command of `kubectl edit`; the file name is appended. */
  readonly editor?: string | undefined;
}

/** Runs one kubectl with a kubeconfig and a home folder of its own, which holds the manifests. */
export interface Shell {
  readonly kubectl: Kubectl;
  readonly home: string;
  /** Runs `kubectl WORDS…` to its end. */
  readonly run: (words: string, typing?: Typing) => Promise<Answer>;
  /** Starts `kubectl WORDS…`, which runs until it is interrupted. */
  readonly begin: (words: string) => Running;
  readonly close: () => void;
}

/** A running kubectl. */
export interface Running {
  /** Resolves with the lines that it has printed as soon as one of them contains this text. */
  readonly waitForOutput: (text: string) => Promise<string>;
  /** Interrupts it as Ctrl-C does. */
  readonly interrupt: () => Promise<void>;
}

const manifests = fileURLToPath(new URL("manifests", import.meta.url));
const commandTimeoutMs = 60_000;

/** Opens a shell for a cluster. */
export function openShell(kubectl: Kubectl, kubeconfig: string): Shell {
  const home = mkdtempSync(path.join(tmpdir(), "trimtab-kubectl-"));
  const config = path.join(home, "config");
  writeFileSync(config, kubeconfig, { mode: 0o600 });
  cpSync(manifests, home, { recursive: true });
  const env = { HOME: home, KUBECONFIG: config, PATH: process.env["PATH"] ?? "", TZ: "UTC", TMPDIR: home };
  return {
    kubectl,
    home,
    run: (words, { input = "", editor = "false" } = {}) =>
      new Promise((resolve) => {
        const child = execFile(
          kubectl.program,
          split(words),
          { env: { ...env, KUBE_EDITOR: editor }, cwd: home, timeout: commandTimeoutMs, maxBuffer: 2 ** 26 },
          (error, out, err) => {
            const code = error === null ? 0 : typeof error.code === "number" ? error.code : 1;
            resolve({ code, out, err });
          },
        );
        child.stdin?.on("error", () => undefined); // it may not care for its input, and end first
        child.stdin?.end(input);
      }),
    begin: (words) => begin(kubectl, split(words), { env, cwd: home }),
    close: () => rmSync(home, { recursive: true, force: true }),
  };
}

function begin(kubectl: Kubectl, words: string[], options: { env: NodeJS.ProcessEnv; cwd: string }): Running {
  const child = spawn(kubectl.program, words, { ...options, timeout: commandTimeoutMs });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  let printed = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (printed += text));
  return {
    waitForOutput: (text) =>
      new Promise((resolve, reject) => {
        // kubectl prints a row cell by cell, so the last line may be half of one.
        const look = () => {
          const lines = printed.slice(0, printed.lastIndexOf("\n") + 1);
          if (lines.includes(text)) resolve(lines);
        };
        child.stdout.on("data", look);
        child.once("close", () => reject(new Error(`kubectl ended without ${text}; it printed ${printed}`)));
        look();
      }),
    interrupt: () => {
      child.kill("SIGINT");
      return ended;
    },
  };
}

/** Words as a shell splits them, with single and double quotes and nothing else. */
export function split(words: string): string[] {
  return [...words.matchAll(/(?:[^\s'"]+|'[^']*'|"[^"]*")+/g)].map(([word]) =>
    word.replaceAll(
      /'([^']*)'|"([^"]*)"/g,
      (_quoted, single: string | undefined, double: string | undefined) => single ?? double ?? "",
    ),
  );
}
