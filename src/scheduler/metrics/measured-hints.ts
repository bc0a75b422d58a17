import { eventName } from "../../decisions/placement/cluster-event.ts";
import type { QueueingHints } from "../../decisions/placement/queueing-hints.ts";
import type { SchedulerMeter } from "./scheduler-meter.ts";

/** Measures every evaluation of hints. */
export function measuredHints(
  hints: ReadonlyMap<string, QueueingHints>,
  meter: Pick<SchedulerMeter, "hintTook">,
  stopwatch: () => number,
): ReadonlyMap<string, QueueingHints> {
  const measured = (plugin: string, { events, isHelpful }: QueueingHints): QueueingHints => ({
    events,
    isHelpful(waiting, event, snapshot) {
      const begin = stopwatch();
      const helps = isHelpful(waiting, event, snapshot);
      const hint = helps ? "Queue" : "QueueSkip";
      meter.hintTook(stopwatch() - begin, { plugin, event: eventName(event), hint });
      return helps;
    },
  });
  return new Map([...hints].map(([plugin, each]) => [plugin, measured(plugin, each)]));
}
