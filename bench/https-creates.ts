import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { newServer, podOf } from "./apiserver.ts";
import { runLoad } from "./apiserver-load.ts";
import { openStore } from "./durable.ts";
import { type Measure, percentile } from "./measure.ts";

const rounds = 4;
const perRound = 2000;

/**
 * Pods that 64 connections create, in memory and durably: in turns, since the server becomes faster with every round that
 * V8 has to learn from, and slower with every Pod that it keeps.
 */
export async function httpsCreates(): Promise<readonly Measure[]> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "trimtab-bench-"));
  const durable = await openStore(path.join(folder, "creates"));
  try {
    const inMemory = await served("memory", await newServer());
    const onDisk = await served("durable", await newServer(durable));
    for (let round = 0; round <= rounds; round++) {
      await inMemory.load(round);
      await onDisk.load(round);
    }
    return [...(await inMemory.end()), ...(await onDisk.end())];
  } finally {
    await durable.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** One of the servers; its first round is not counted. */
async function served(kind: string, server: Awaited<ReturnType<typeof newServer>>) {
  const access = await server.listen({ port: 0 });
  const bodies = (count: number, prefix: string) =>
    Array.from({ length: count }, (_, index) => JSON.stringify(podOf(`${prefix}-${index}`)));
  const target = "/api/v1/namespaces/default/pods";
  const latencies: number[] = [];
  let tookMs = 0;
  let processorUs = 0;
  return {
    async load(round: number): Promise<void> {
      const before = process.cpuUsage();
      const result = await runLoad(access, {
        kind: "creates",
        path: target,
        warmUp: bodies(perRound / 4, `warm-${round}`),
        bodies: bodies(perRound, `timed-${round}`),
      });
      if (round === 0) return;
      const { user, system } = process.cpuUsage(before);
      processorUs += user + system;
      tookMs += result.tookMs;
      latencies.push(...result.latenciesMs);
    },
    async end(): Promise<readonly Measure[]> {
      await access.close();
      const requests = rounds * perRound;
      return [
        {
          what: `Pod creates over HTTPS, 64 connections, ${kind}`,
          value: (requests * 1000) / tookMs,
          unit: "per s",
          bar: 1500,
          goal: 3000,
        },
        { what: `Pod creates over HTTPS, ${kind}, p99`, value: percentile(latencies, 0.99), unit: "ms" },
        {
          what: `processor time of the server for each, ${kind}`,
          value: processorUs / (requests * 1.25),
          unit: "µs",
        },
      ];
    },
  };
}
