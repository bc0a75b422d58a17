import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";

/** An environment that a Go program has started with envtest. */
export interface EnvtestSession {
  /** How long `Start()` took. */
  readonly startMs: number;
  /** The memory of its programs, by their names, as Linux counts it. */
  readonly memory: () => ReadonlyMap<string, ProgramMemory>;
  /** Resolves to how long `Stop()` took, when nothing is left. */
  readonly stop: () => Promise<number>;
}

/** The memory of a program, in MB. */
export interface ProgramMemory {
  /** What is resident (RSS). */
  readonly residentMb: number;
  /** The same, but of what several processes share, such as the code of Node, only its share (PSS). */
  readonly shareMb: number;
}

/** Starts the environment; throws when it does not start. */
export async function startSession(program: string, assets: string): Promise<EnvtestSession> {
  const child = spawn(program, [], {
    env: { ...process.env, KUBEBUILDER_ASSETS: assets },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const exit = once(child, "exit");
  const nextTime = async () => {
    const { value } = (await lines.next()) as { readonly value?: string };
    if (value === undefined) throw new Error("the environment ended by itself");
    return Number(value.split(" ")[1]);
  };
  return {
    startMs: await nextTime(),
    memory: () => memoryOfChildren(child),
    async stop() {
      child.stdin.end();
      const stopMs = await nextTime();
      await exit;
      return stopMs;
    },
  };
}

function memoryOfChildren({ pid }: ChildProcess): ReadonlyMap<string, ProgramMemory> {
  const found = new Map<string, ProgramMemory>();
  for (const id of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    const status = textOf(`/proc/${id}/status`);
    if (Number(/^PPid:\s+(\d+)/m.exec(status)?.[1]) !== pid) continue;
    const name = textOf(`/proc/${id}/cmdline`).includes("kube-apiserver") ? "kube-apiserver" : "etcd";
    found.set(name, {
      residentMb: Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024,
      shareMb: Number(/^Pss:\s+(\d+)/m.exec(textOf(`/proc/${id}/smaps_rollup`))?.[1]) / 1024,
    });
  }
  return found;
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return ""; // the process has ended since the folder was listed
  }
}
