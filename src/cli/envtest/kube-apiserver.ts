// The program `kube-apiserver` of the folder that `trimtab envtest` writes.
import { messageOf } from "../../api/message-of.ts";
import { visibleText } from "../../api/visible-text.ts";
import { WallClock } from "../../machinery/clock/wall-clock.ts";
import { pinoLogger } from "../../machinery/log/pino-logger.ts";
import { readApiServerSettings } from "./api-server-settings.ts";
import { startEnvtestCluster } from "./envtest-cluster.ts";
import { envtestVariable, readEnvtestComponents } from "./envtest-components.ts";
import { stopSignal } from "./stop-signal.ts";

const faultsVariable = "TRIMTAB_ENVTEST_FAULTS";

/** Resolves to the exit code. */
async function main(words: readonly string[]): Promise<number> {
  const clock = new WallClock();
  const stopping = stopSignal(clock);
  const components = readEnvtestComponents(process.env[envtestVariable]);
  if (!components.ok) return failed(components.problem);
  // Faults on the wire begin here, once they are there: they are read beside the components, and given to the cluster.
  if (process.env[faultsVariable] !== undefined) return failed(`${faultsVariable} is not supported yet`);
  const read = readApiServerSettings(words);
  if (!read.ok) return failed(read.problem);
  for (const warning of read.warnings) console.error(visibleText(`Warning: ${warning}`));
  try {
    const log = pinoLogger({ level: "warn", clock });
    const cluster = await startEnvtestCluster({ settings: read.settings, components, clock, log });
    if (!stopping.aborted)
      await new Promise((resolve) => stopping.addEventListener("abort", resolve, { once: true }));
    await cluster.stop();
    return 0;
  } catch (error) {
    return failed(messageOf(error)); // the boundary of the program
  }
}

/** Says why, as kube-apiserver does it. */
function failed(problem: string): number {
  console.error(visibleText(`Error: ${problem}`));
  return 1;
}

process.exit(await main(process.argv.slice(2)));
