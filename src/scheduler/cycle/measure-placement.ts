import type { PluginSet } from "../../decisions/placement/plugin-set.ts";
import type { Placement } from "../../decisions/placement/place-pod.ts";
import type { MeasuredPoint, SchedulerMeter } from "../metrics/scheduler-meter.ts";
import {
  type ExtensionPointTimes,
  profiledPluginSet,
  type Stopwatch,
  timedPluginSet,
} from "./timed-plugin-set.ts";

/** Where and how a placement is measured. */
export interface MeasureOptions {
  readonly meter: SchedulerMeter;
  readonly stopwatch: Stopwatch;
  readonly profile: string;
  /** Measures every call of every plugin as well. */
  readonly inDetail: boolean;
}

/** Makes a placement with a plugin set and measures how long its extension points took. */
export function measurePlacement(
  pluginSet: PluginSet,
  place: (pluginSet: PluginSet) => Placement,
  { meter, stopwatch, profile, inDetail }: MeasureOptions,
): Placement {
  const startedAt = stopwatch();
  const perPlugin = new Map<string, { plugin: string; point: MeasuredPoint; durationMs: number }>();
  const inner = inDetail
    ? profiledPluginSet(pluginSet, stopwatch, (plugin, point, durationMs) => {
        const known = perPlugin.get(`${plugin}/${point}`);
        if (known === undefined) perPlugin.set(`${plugin}/${point}`, { plugin, point, durationMs });
        else known.durationMs += durationMs;
      })
    : pluginSet;
  const timed = timedPluginSet(inner, stopwatch, (plugin, point) => meter.evaluated(plugin, point, profile));
  const placement = place(timed.pluginSet);
  const times = timed.times();
  meter.algorithmTook(stopwatch() - startedAt);
  for (const [point, durationMs] of Object.entries(times) as [keyof ExtensionPointTimes, number][])
    meter.pointTook(point, durationMs, { profile, status: statusAt(point, placement) });
  for (const { plugin, point, durationMs } of perPlugin.values())
    meter.pluginTook(plugin, durationMs, { point, status: statusAt(point, placement) });
  return placement;
}

/** The status label of kube-scheduler's metrics for an extension point. */
function statusAt(point: MeasuredPoint, { outcome }: Placement): string {
  if (outcome.kind === "failed" && outcome.breakdown.point === point) return "Error";
  if (outcome.kind === "refused" && point === "PreFilter") return outcome.rejection.code;
  return outcome.kind === "unfit" && point === "Filter" ? "Unschedulable" : "Success";
}
