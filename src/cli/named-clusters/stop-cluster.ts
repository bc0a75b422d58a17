import type { Clock } from "../../machinery/clock/clock.ts";
import { findCluster, forgetCluster, type NamedCluster } from "./named-cluster.ts";

const timeoutMs = 60_000;
const pollIntervalMs = 50;

export interface StopOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Sends a process SIGTERM. */
  readonly terminate: (pid: number) => void;
}

/** Stops a cluster and waits for its end; returns one sentence when that is not possible. */
export async function stopCluster(
  cluster: NamedCluster,
  { env, clock, signal, terminate }: StopOptions,
): Promise<string | undefined> {
  const { name } = cluster;
  if (cluster.state === "ended") {
    forgetCluster(name, env);
    return undefined;
  }
  const { pid, isCertain } = cluster.owner;
  if (pid === process.pid) return `the cluster ${name} runs in this process`;
  if (!isCertain)
    return `process ${pid} may be another one by now, or of another machine: end the cluster ${name} there`;
  terminate(pid);
  const end = clock.now() + timeoutMs;
  for (let now = findCluster(name, env); isSame(now, pid); now = findCluster(name, env)) {
    if (clock.now() >= end)
      return `the cluster ${name} (process ${pid}) has not stopped after ${timeoutMs / 1000} s`;
    await clock.sleep(pollIntervalMs, signal);
  }
  const left = findCluster(name, env);
  if (left?.state === "ended") forgetCluster(name, env);
  return undefined;
}

function isSame(cluster: NamedCluster | undefined, pid: number): boolean {
  return cluster !== undefined && cluster.state !== "ended" && cluster.owner.pid === pid;
}
