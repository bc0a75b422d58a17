import { formatDuration, parseDuration } from "../api/duration.ts";
import type { Lease } from "../api/generated/coordination-v1.ts";
import type { JsonObject } from "../api/json.ts";
import { formatMicroTime, type Instant, parseTime } from "../api/time.ts";
import { AdjustableClock } from "../machinery/clock/adjustable-clock.ts";
import { type Clock, networkClock } from "../machinery/clock/clock.ts";
import type { DebugAction } from "../machinery/diagnostics/diagnostics.ts";
import { badRequest, unprocessable } from "./apiserver/status-errors.ts";

/** The limits of the speed of time. */
export const speeds = { least: 0.01, most: 1000 };
/** The longest time that one step may skip. */
const longestStep = "8760h0m0s";

/** What the time of a cluster depends on. */
export interface TimeEndpointOptions {
  readonly clock: Clock;
  /** Components that another program runs. */
  readonly without: readonly string[];
  readonly fixedTime?: string | undefined;
  /** The Leases that are stored, not those of simulated nodes. */
  readonly leases: () => readonly Lease[];
}

/** `GET /debug/time`, and `POST /debug/time/ACTION` for each of the actions. */
export interface TimeEndpoint {
  readonly read: (path: string) => JsonObject | undefined;
  readonly act: DebugAction;
}

const path = "/debug/time";

/** Lets administrators read and adjust the time of a cluster whose clock can be adjusted. */
export function timeEndpoint(options: TimeEndpointOptions): TimeEndpoint {
  const { clock } = options;
  return {
    read: (asked) => (asked === path ? stateOf(clock) : undefined),
    async act(asked, query) {
      if (!asked.startsWith(`${path}/`)) return undefined;
      const action = actions.get(asked.slice(path.length + 1));
      if (action === undefined) return undefined;
      if (!(clock instanceof AdjustableClock)) throw unprocessable("the time of this cluster is simulated");
      const work = action(clock, query);
      const refusal = work.leavesWallTime ? refusalOf(options) : undefined;
      if (refusal !== undefined)
        throw unprocessable(`the time of this cluster cannot be changed: ${refusal}`);
      await work.run();
      return stateOf(clock);
    },
  };
}

/** A change of time; `leavesWallTime` when programs that use the wall clock would no longer agree with the cluster. */
interface TimeChange {
  readonly leavesWallTime: boolean;
  readonly run: () => Promise<void>;
}

const actions: ReadonlyMap<string, (clock: AdjustableClock, query: URLSearchParams) => TimeChange> = new Map([
  ["pause", (clock) => ({ leavesWallTime: true, run: async () => clock.pause() })],
  ["resume", (clock) => ({ leavesWallTime: false, run: async () => clock.resume() })],
  [
    "step",
    (clock, query) => {
      const durationMs = stepOf(query.get("duration") ?? "");
      return { leavesWallTime: true, run: () => clock.advance(durationMs) };
    },
  ],
  [
    "speed",
    (clock, query) => {
      const speed = speedOf(query.get("factor") ?? "");
      return { leavesWallTime: speed !== 1, run: async () => clock.setSpeed(speed) };
    },
  ],
]);

function stepOf(text: string): number {
  if (/^\d+(\.\d+)?$/.test(text))
    throw badRequest(`duration ${JSON.stringify(text)} needs a unit, such as ${text}s or ${text}m`);
  const durationMs = parseDuration(text);
  if (durationMs === undefined || durationMs <= 0 || durationMs > (parseDuration(longestStep) ?? 0))
    throw badRequest(
      `duration ${JSON.stringify(text)} must be above 0 and at most ${longestStep}, such as 30s or 1h30m`,
    );
  return durationMs;
}

function speedOf(text: string): number {
  const speed = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (!(speed >= speeds.least && speed <= speeds.most))
    throw badRequest(
      `factor ${JSON.stringify(text)} must be a number from ${speeds.least} to ${speeds.most}`,
    );
  return speed;
}

/** Returns why the time of this cluster has to be wall time; `undefined` when it need not. */
function refusalOf({ clock, without, fixedTime, leases }: TimeEndpointOptions): string | undefined {
  if (fixedTime !== undefined) return fixedTime;
  if (without.includes("kubelet")) return "another program runs its Pods by the wall clock";
  // Other programs renew their Leases by the wall clock, whatever the time of the cluster is.
  const now = networkClock(clock).now();
  const held = leases().find((lease) => isHeld(lease, now));
  if (held === undefined) return undefined;
  const { namespace, name } = held.metadata;
  return `${held.spec?.holderIdentity ?? ""} holds the Lease ${namespace}/${name} by the wall clock`;
}

function isHeld({ spec }: Lease, now: Instant): boolean {
  const { holderIdentity = "", renewTime, leaseDurationSeconds = 0 } = spec ?? {};
  const renewedAt = parseTime(renewTime);
  return holderIdentity !== "" && renewedAt !== undefined && now < renewedAt + leaseDurationSeconds * 1000;
}

function stateOf(clock: Clock): JsonObject {
  const time = formatMicroTime(clock.now());
  if (!(clock instanceof AdjustableClock)) return { time };
  const { speed, isPaused, aheadMs } = clock.state;
  // The two clocks are read one after the other, so a tenth of a second is as exact as it gets.
  return { time, speed, paused: isPaused, ahead: formatDuration(Math.round(aheadMs / 100) * 100) };
}
