import { readTextFile } from "../../machinery/client/connection/text-file.ts";
import type { FeatureGates } from "../../api/feature-gates.ts";
import { defaultSchedulerConfig } from "../../scheduler/configuration/scheduler-config.ts";
import { readSimulableSnapshot } from "../../simulation/snapshot/read-snapshot.ts";
import { withAssumedNodes } from "../../simulation/snapshot/assumed-nodes.ts";
import { controllersIn } from "../../simulation/snapshot/snapshot.ts";
import { assumptionTexts } from "../../simulation/what-if/assumption-texts.ts";
import type { WhatIfReport } from "../../simulation/what-if/what-if-report.ts";
import { runWhatIf, type WhatIfOptions } from "../../simulation/what-if/run-what-if.ts";
import { describeWhatIf } from "../../simulation/what-if/what-if-text.ts";
import { type Command, type Invocation, reportErrors } from "../command.ts";
import { flagText } from "../flags/flag-values.ts";
import { describePublished } from "../connection/embedded-configuration.ts";
import { type LiveSnapshot, takeAllowedSnapshot } from "../connection/live-snapshot.ts";
import { printReport } from "../report-output.ts";
import { type AskedForWhatIf, askScalePickers } from "../whatif/ask-scale-pickers.ts";
import { readChanges } from "../whatif/change-flags.ts";
import { readWhatIfSettings, whatIfFlags, type WhatIfSettings } from "../whatif/whatif-settings.ts";

/** Simulates changes to a cluster; the cluster itself is only read. */
export const whatif: Command = {
  name: "whatif",
  summary: "Show what comes of scaling, rollouts, drains and failures before they happen; only reads.",
  flags: whatIfFlags,
  async run(invocation, terminal) {
    const read = readWhatIfSettings(invocation);
    if (!read.ok) return reportErrors(terminal, whatif, read.problems);
    for (const warning of read.warnings) terminal.err(`trimtab whatif: ${warning}`);
    const { settings } = read;
    const source = await snapshotOf(invocation.flags, settings, terminal.interrupted);
    if (!source.ok) return reportErrors(terminal, whatif, source.problems);
    const { namespace, notes } = source;
    const snapshot = withAssumedNodes(source.snapshot);
    const hasAssumedNodes = snapshot !== source.snapshot;
    const changes = readChanges(invocation.flags, { objects: snapshot.objects, namespace });
    if (!changes.ok) return reportErrors(terminal, whatif, changes.problems);
    const asked = settings.asksPickers
      ? await askScalePickers(
          changes.changes,
          { command: whatif, flags: invocation.flags, settings },
          terminal.interrupted,
        )
      : undefined;
    if (asked?.ok === false) return reportErrors(terminal, whatif, asked.problems);
    const report = await runWhatIf({
      ...simulationOf({ ...source, snapshot, hasAssumedNodes }, settings, asked),
      changes: changes.changes,
      signal: terminal.interrupted,
    });
    printReport(report, {
      terminal,
      format: settings.output,
      text: (options) => describeWhatIf(report, options),
    });
    for (const note of notes) terminal.err(`Note: ${note}`);
    return isFine(report) ? 0 : 1;
  },
};

function simulationOf(
  live: Extract<LiveSnapshot, { ok: true }> & { readonly hasAssumedNodes: boolean },
  settings: WhatIfSettings,
  asked: Extract<AskedForWhatIf, { ok: true }> | undefined,
): Omit<WhatIfOptions, "changes" | "signal"> {
  const { snapshot, hasAssumedNodes } = live;
  const { assumptions, seed, timeoutMs } = settings;
  const controllers = settings.controllers ?? controllersIn(snapshot);
  const gates = settings.gates(controllers, live.gates);
  const { schedulerConfig, scheduler } = simulatedScheduler(live, settings, gates);
  return {
    snapshot,
    seed,
    assumptions,
    controllers,
    gates,
    notes: assumptionTexts(snapshot, {
      ...assumptions,
      controllers,
      scheduler,
      pickers: asked?.notes,
      hasAssumedNodes,
    }),
    ...(asked !== undefined && { pickers: asked.pickers }),
    ...(schedulerConfig !== undefined && { schedulerConfig }),
    ...(timeoutMs !== undefined && { timeoutMs }),
  };
}

/** The scheduler of the configuration file, or the one that the cluster says it has; without either the default one. */
function simulatedScheduler(
  live: Pick<Extract<LiveSnapshot, { ok: true }>, "gates" | "schedulerProfiles">,
  { schedulerConfig, scheduler }: WhatIfSettings,
  gates: FeatureGates,
): Pick<WhatIfSettings, "schedulerConfig" | "scheduler"> {
  const { schedulerProfiles: profiles = [] } = live;
  const hasOtherGate = live.gates?.DefaultPodTopologySpread !== gates.DefaultPodTopologySpread;
  if (schedulerConfig !== undefined || profiles.length === 0 || hasOtherGate)
    return { schedulerConfig, scheduler };
  return {
    schedulerConfig: { ...defaultSchedulerConfig(gates), profiles },
    scheduler: `a scheduler with ${describePublished(profiles)}`,
  };
}

/** The snapshot in a file, or one of the cluster as it is now. */
async function snapshotOf(
  flags: Invocation["flags"],
  { file }: WhatIfSettings,
  signal: AbortSignal,
): Promise<LiveSnapshot> {
  if (file === undefined)
    return takeAllowedSnapshot(
      { command: whatif, flags, required: ["nodes", "pods", "replicaSets", "deployments"] },
      signal,
    );
  const read = readSimulableSnapshot(file, readTextFile);
  if (!read.ok) return read;
  const { snapshot } = read;
  const namespace = flagText(flags, "namespace") || (snapshot.namespace ?? "default");
  return { ok: true, snapshot, namespace, notes: [] };
}

/** Reports whether the cluster becomes stable, drains end, and every affected workload has its desired size. */
function isFine({ stable, workloads, notReady }: WhatIfReport): boolean {
  const isWhole = ({ isAffected, after }: WhatIfReport["workloads"][number]) =>
    !isAffected || after.ready >= (after.wanted ?? after.pods);
  return stable && workloads.every(isWhole) && notReady.every(({ problem }) => problem !== "not-evicted");
}
