import type { Instant } from "../api/time.ts";
import { interpretPickerAnswer } from "../decisions/downscale/picker-answer.ts";
import type { Clock } from "../machinery/clock/clock.ts";
import { permanentFailure, type PickerFailure } from "./picker-failure.ts";
import type { PickerConnector } from "./picker-connector.ts";
import type { Attempt, PickPodsRequest, AttemptResult, Transport } from "./transport.ts";

/** A picker in a simulated world: what it does with a question, and when it is asked. No socket is involved. */
export interface SimulatedPicker {
  /** Its answer, as the contract has it, or how the call fails. */
  pick(question: PickPodsRequest, now: Instant): unknown;
  /** How long it takes; absent: no time. */
  readonly latencyMs?: number | ((now: Instant) => number);
}

/** Calls pickers that are data, by the host a workload names; other hosts are not there. */
export function simulatedConnector(
  pickers: ReadonlyMap<string, SimulatedPicker>,
  clock: Clock,
): PickerConnector {
  const transport: Transport = {
    pickPods: (call) => pickSimulated(pickers.get(call.target.host), call, clock),
  };
  return {
    resolve: ({ host, tls, path }) => {
      const dial = { address: host, port: 0 };
      const target = { host, port: 0, dial, tls, path };
      return Promise.resolve(
        pickers.has(host) ? { kind: "resolved", target } : permanentFailure("HostUnresolved"),
      );
    },
    transports: { http: transport, grpc: transport },
  };
}

async function pickSimulated(
  picker: SimulatedPicker | undefined,
  { question, signal }: Attempt,
  clock: Clock,
): Promise<AttemptResult> {
  if (picker === undefined) return permanentFailure("HostUnresolved");
  const { latencyMs = 0 } = picker;
  const takesMs = typeof latencyMs === "number" ? latencyMs : latencyMs(clock.now());
  try {
    if (takesMs > 0) await clock.sleep(takesMs, signal);
  } catch {
    return permanentFailure("Timeout");
  }
  const answer = picker.pick(question, clock.now());
  return isFailure(answer)
    ? answer
    : { kind: "answered", answer: interpretPickerAnswer(answer, question.candidates) };
}

function isFailure(answer: unknown): answer is PickerFailure {
  return typeof answer === "object" && answer !== null && "kind" in answer && answer.kind === "failed";
}

/** A picker that goes by a score of each Pod at a time: those with the lowest go, and equal ones are tied. */
export function scoringPicker(
  score: (pod: string, now: Instant) => number,
  latencyMs: SimulatedPicker["latencyMs"] = 0,
): SimulatedPicker {
  return {
    latencyMs,
    pick({ requested, candidates }, now) {
      const scored = candidates.map((name) => ({ name, score: score(name, now) }));
      const last = scored.map((one) => one.score).sort((a, b) => a - b)[requested - 1] ?? Infinity;
      const named = (keep: (score: number) => boolean) =>
        scored.filter((one) => keep(one.score)).map(({ name }) => name);
      return { chosen_pods: named((score) => score < last), tied_pods: named((score) => score === last) };
    },
  };
}
