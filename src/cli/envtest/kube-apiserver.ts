// The program `kube-apiserver` of the folder that `trimtab envtest` writes.
import { messageOf } from "../../api/message-of.ts";
import { visibleText } from "../../api/visible-text.ts";
import { WallClock } from "../../machinery/clock/wall-clock.ts";
import { pinoLogger } from "../../machinery/log/pino-logger.ts";
import type { FaultSettings } from "../../simulation/outside-faults/fault-settings.ts";
import { outsideFaultsOf } from "../../simulation/outside-faults/inject-outside-faults.ts";
import { readFaultVariable } from "../flags/fault-flag.ts";
import { readApiServerSettings } from "./api-server-settings.ts";
import { type EnvtestClusterOptions, startEnvtestCluster } from "./envtest-cluster.ts";
import { envtestVariable, readEnvtestComponents } from "./envtest-components.ts";
import { stopSignal } from "./stop-signal.ts";

/** Resolves to the exit code. */
async function main(words: readonly string[]): Promise<number> {
  const clock = new WallClock();
  const stopping = stopSignal(clock);
  const components = readEnvtestComponents(process.env[envtestVariable]);
  if (!components.ok) return failed(components.problem);
  const disturbing = readFaultVariable(process.env);
  if (!disturbing.ok) return failed(disturbing.problems.join("; "));
  const read = readApiServerSettings(words);
  if (!read.ok) return failed(read.problem);
  for (const warning of read.warnings) console.error(visibleText(`Warning: ${warning}`));
  const { settings } = read;
  try {
    await runUntil(stopping, { settings, components, clock, faults: disturbing.faults });
    return 0;
  } catch (error) {
    return failed(messageOf(error)); // the boundary of the program
  }
}

type Running = Pick<EnvtestClusterOptions, "settings" | "components" | "clock"> & {
  readonly faults: FaultSettings | undefined;
};

/** Runs the cluster until it is told to end, and says then which faults its clients met. */
async function runUntil(stopping: AbortSignal, { faults: wanted, ...options }: Running): Promise<void> {
  const log = pinoLogger({ level: "warn", clock: options.clock });
  const faults = wanted && outsideFaultsOf(wanted);
  const outsideRequests = faults?.outsideRequests;
  const cluster = await startEnvtestCluster({ ...options, log, outsideRequests });
  if (!stopping.aborted)
    await new Promise((resolve) => stopping.addEventListener("abort", resolve, { once: true }));
  await cluster.stop();
  if (faults !== undefined) console.error(faults.log()?.asText() ?? "");
}

/** Says why, as kube-apiserver does it. */
function failed(problem: string): number {
  console.error(visibleText(`Error: ${problem}`));
  return 1;
}

process.exit(await main(process.argv.slice(2)));
