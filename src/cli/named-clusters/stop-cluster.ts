import { messageOf } from "../../api/message-of.ts";
import type { Clock } from "../../machinery/clock/clock.ts";
import { WallClock } from "../../machinery/clock/wall-clock.ts";
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

/** Stops a cluster as a command does: in wall time, by a signal to its process. */
export function stopNamedCluster(cluster: NamedCluster, signal: AbortSignal): Promise<string | undefined> {
  return stopCluster(cluster, {
    env: process.env,
    clock: new WallClock(),
    signal,
    terminate: (pid) => process.kill(pid, "SIGTERM"),
  });
}

/** Stops a cluster and waits for its end; returns one sentence when that is not possible. */
export async function stopCluster(
  cluster: NamedCluster,
  { env, clock, signal, terminate }: StopOptions,
): Promise<string | undefined> {
  const { name } = cluster;
  if (cluster.state === "ended") return forget(name, env);
  const { pid, isCertain } = cluster.owner;
  if (pid === process.pid) return `the cluster ${name} runs in this process`;
  if (!isCertain)
    return `process ${pid} may be another one by now, or of another machine: end the cluster ${name} there`;
  try {
    terminate(pid);
  } catch (error) {
    // ESRCH: it has ended by itself since.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH")
      return `the cluster ${name} (process ${pid}) cannot be stopped: ${messageOf(error)}`;
  }
  const end = clock.now() + timeoutMs;
  for (let now = findCluster(name, env); isSame(now, pid); now = findCluster(name, env)) {
    if (clock.now() >= end)
      return `the cluster ${name} (process ${pid}) has not stopped after ${timeoutMs / 1000} s`;
    await clock.sleep(pollIntervalMs, signal);
  }
  return findCluster(name, env)?.state === "ended" ? forget(name, env) : undefined;
}

function forget(name: string, env: StopOptions["env"]): string | undefined {
  try {
    forgetCluster(name, env);
    return undefined;
  } catch (error) {
    return messageOf(error); // another process has taken the name meanwhile
  }
}

function isSame(cluster: NamedCluster | undefined, pid: number): boolean {
  return cluster !== undefined && cluster.state !== "ended" && cluster.owner.pid === pid;
}
