import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { startProgramCluster } from "../../cluster/embedding/start-embedded-cluster.ts";
import type { Clock } from "../../machinery/clock/clock.ts";
import type { InjectedFault } from "../../simulation/outside-faults/fault-log.ts";
import { type FaultSettings, faultSettingsText } from "../../simulation/outside-faults/fault-settings.ts";
import { outsideFaultsOf } from "../../simulation/outside-faults/inject-outside-faults.ts";
import { envtestAssets } from "../envtest/own-envtest-folder.ts";
import { faultVariable } from "../flags/fault-flag.ts";
import { packageVersion } from "../installed-package.ts";
import type { FaultRunSettings } from "./fault-run-settings.ts";

/** How a command ended that ran while its requests were disturbed. */
export interface DisturbedRun {
  readonly passed: boolean;
  /** `exit code 1`, `signal SIGKILL`, or that it took too long. */
  readonly ending: string;
  /** The end of what it printed. */
  readonly output: string;
  readonly injected: readonly InjectedFault[];
  readonly tookMs: number;
}

/** What a run depends on. */
export interface DisturbedRunOptions {
  readonly settings: FaultRunSettings;
  readonly seed: number;
  /** The identities of the only faults to inject; absent: all that the seed draws. */
  readonly only?: readonly string[];
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Runs the command once with the faults of a seed, on a cluster of its own that is gone afterwards. */
export async function runDisturbed(options: DisturbedRunOptions): Promise<DisturbedRun> {
  const { settings, clock } = options;
  const folder = mkdtempSync(path.join(tmpdir(), "trimtab-faults-"));
  const faults = faultSettingsIn(folder, options);
  const startedAt = clock.now();
  try {
    const ended = settings.isEnvtest
      ? await runCommand(options, {
          [faultVariable]: faultSettingsText(faults),
          ...envtestAssets(process.env),
        })
      : await onCluster(options, { folder, faults });
    return { ...ended, injected: recorded(faults.record), tookMs: clock.now() - startedAt };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface RunFiles {
  readonly folder: string;
  readonly faults: FaultSettings;
}

/** Writes the only faults where the cluster reads them. */
function faultSettingsIn(
  folder: string,
  { settings, seed, only }: DisturbedRunOptions,
): FaultSettings & { readonly record: string } {
  const file = path.join(folder, "only.json");
  if (only !== undefined) writeFileSync(file, JSON.stringify(only));
  const { profile, user, agent } = settings;
  return {
    seed: String(seed),
    profile,
    user,
    agent,
    ...(only === undefined ? { only: settings.only } : { only: file }),
    record: path.join(folder, "injected.jsonl"),
  };
}

/** Reads what clusters have recorded, a line each. */
function recorded(file: string): readonly InjectedFault[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").split("\n");
  // The clusters write nothing else into it.
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as InjectedFault);
}

async function onCluster(options: DisturbedRunOptions, { folder, faults }: RunFiles): Promise<EndedCommand> {
  const { outsideRequests } = outsideFaultsOf(faults);
  const cluster = await startProgramCluster(
    { https: true, nodes: options.settings.nodes },
    { outsideRequests, version: packageVersion() },
  );
  try {
    const kubeconfig = path.join(folder, "kubeconfig");
    writeFileSync(kubeconfig, cluster.kubeconfig, { mode: 0o600 });
    return await runCommand(options, { KUBECONFIG: kubeconfig });
  } finally {
    await cluster.stop();
  }
}

type EndedCommand = Pick<DisturbedRun, "passed" | "ending" | "output">;

/** How many characters of the output are kept. */
const mostOutput = 20_000;

/** Runs the command with these variables in its environment; whatever it has started ends with it. */
function runCommand(
  { settings, seed, clock, signal }: DisturbedRunOptions,
  variables: Readonly<Record<string, string>>,
): Promise<EndedCommand> {
  const [program = "", ...words] = settings.words;
  const goFlags = `${process.env["GOFLAGS"] ?? ""} -count=1`.trim(); // or go test would remember the last result
  const env = { ...process.env, GOFLAGS: goFlags, TRIMTAB_FAULTS_SEED: String(seed), ...variables };
  const child = spawn(program, words, { env, stdio: ["ignore", "pipe", "pipe"], detached: true });
  const killNow = () => {
    if (child.pid !== undefined) killGroup(child.pid);
  };
  let output = "";
  const add = (text: Buffer) => (output = `${output}${text.toString()}`.slice(-mostOutput));
  child.stdout.on("data", add);
  child.stderr.on("data", add);
  return new Promise((resolve) => {
    let why: string | undefined;
    const stop = (reason: string) => {
      why = reason;
      killNow();
    };
    const timer = clock.after(settings.timeoutMs, () => stop("it took too long"));
    const interrupt = () => stop("interrupted");
    signal.addEventListener("abort", interrupt, { once: true });
    process.once("exit", killNow);
    const settle = (ended: EndedCommand) => {
      timer.cancel();
      signal.removeEventListener("abort", interrupt);
      process.off("exit", killNow);
      resolve(ended);
    };
    child.on("error", (error) =>
      settle({ passed: false, ending: `cannot run it: ${error.message}`, output }),
    );
    // What it has started may still hold its output, so `close` may never come.
    child.on("exit", killNow);
    child.on("close", (code, name) => {
      const ending = why ?? (code === null ? `signal ${name}` : `exit code ${code}`);
      settle({ passed: code === 0, ending, output });
    });
  });
}

/** Ends a process and all that it has started. */
function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    // Nothing of it is left, or Windows, which has no groups.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
