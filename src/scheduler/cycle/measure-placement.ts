import type { PluginSet } from "../../decisions/placement/plugin-entry.ts";
import type { Placement } from "../../decisions/placement/place-pod.ts";
import type { MeasuredPoint, SchedulerMeter } from "../metrics/scheduler-meter.ts";
import {
  type ExtensionPointTimes,
  profiledPluginSet,
  type Stopwatch,
  type TimedPluginSet,
  timedPluginSet,
} from "./timed-plugin-set.ts";

/** Where and how placements are measured. */
export interface MeasureOptions {
  readonly meter: SchedulerMeter;
  readonly stopwatch: Stopwatch;
  readonly profile: string;
}

/** Makes a placement with the plugin set that it is given. */
type Place = (pluginSet: PluginSet) => Placement;

/** The time that one plugin took at an extension point, all its calls of a placement together. */
interface PluginTime {
  readonly plugin: string;
  readonly point: MeasuredPoint;
  durationMs: number;
}

/** Measures the placements of a profile, one after the other. */
export class PlacementMeasurement {
  readonly #options: MeasureOptions;
  readonly #timed: TimedPluginSet;
  readonly #timedInDetail: TimedPluginSet;
  readonly #perPlugin = new Map<string, PluginTime>();

  constructor(pluginSet: PluginSet, options: MeasureOptions) {
    const { stopwatch, meter, profile } = options;
    this.#options = options;
    const timed = (measured: PluginSet): TimedPluginSet =>
      timedPluginSet(measured, stopwatch, (plugin, point) => meter.evaluated(plugin, point, profile));
    this.#timed = timed(pluginSet);
    this.#timedInDetail = timed(
      profiledPluginSet(pluginSet, stopwatch, (plugin, point, durationMs) => {
        const known = this.#perPlugin.get(`${plugin}/${point}`);
        if (known === undefined) this.#perPlugin.set(`${plugin}/${point}`, { plugin, point, durationMs });
        else known.durationMs += durationMs;
      }),
    );
  }

  /** Makes a placement and measures how long its extension points took; in detail, every plugin as well. */
  measure(place: Place, detail: "points" | "plugins"): Placement {
    const { meter, stopwatch, profile } = this.#options;
    const timed = detail === "plugins" ? this.#timedInDetail : this.#timed;
    const startedAt = stopwatch();
    timed.begin();
    const placement = place(timed.pluginSet);
    const times = timed.times();
    meter.algorithmTook(stopwatch() - startedAt);
    for (const [point, durationMs] of Object.entries(times) as [keyof ExtensionPointTimes, number][])
      meter.pointTook(point, durationMs, { profile, status: statusAt(point, placement) });
    for (const { plugin, point, durationMs } of this.#perPlugin.values())
      meter.pluginTook(plugin, durationMs, { point, status: statusAt(point, placement) });
    this.#perPlugin.clear();
    return placement;
  }
}

/** The status label of kube-scheduler's metrics for an extension point. */
function statusAt(point: MeasuredPoint, { outcome }: Placement): string {
  if (outcome.kind === "failed" && outcome.breakdown.point === point) return "Error";
  if (outcome.kind === "refused" && point === "PreFilter") return outcome.rejection.code;
  return outcome.kind === "unfit" && point === "Filter" ? "Unschedulable" : "Success";
}
