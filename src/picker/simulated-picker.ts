import type { Instant } from "../api/time.ts";
import { interpretPickerAnswer } from "../decisions/downscale/picker-answer.ts";
import type { Clock } from "../machinery/clock/clock.ts";
import { permanentFailure, type PickerFailure } from "./picker-failure.ts";
import type { PickerConnector } from "./picker-connector.ts";
import type { Attempt, PickPodsRequest, AttemptResult, Transport } from "./transport/transport.ts";

/** A picker in a simulation: a function, without a socket. */
export interface SimulatedPicker {
  /** Returns a response as in the contract, or a PickerFailure; or promises one, while which time has to stand still. */
  pick(question: PickPodsRequest, now: Instant): unknown;
  /** Default: 0. */
  readonly latencyMs?: number | ((now: Instant) => number);
}

/** Calls simulated pickers by host; other hosts cannot be resolved. */
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
  const delayMs = typeof latencyMs === "number" ? latencyMs : latencyMs(clock.now());
  try {
    if (delayMs > 0) await clock.sleep(delayMs, signal);
  } catch {
    return permanentFailure("Timeout"); // a sleep rejects only when its signal aborts
  }
  const given = picker.pick(question, clock.now());
  const answer: unknown = given instanceof Promise ? await given : given;
  return isFailure(answer)
    ? answer
    : { kind: "answered", answer: interpretPickerAnswer(answer, question.candidates) };
}

function isFailure(answer: unknown): answer is PickerFailure {
  return typeof answer === "object" && answer !== null && "kind" in answer && answer.kind === "failed";
}

/** A picker that chooses the Pods with the lowest scores and ties those with equal scores. */
export function scoringPicker(
  score: (pod: string, now: Instant) => number,
  latencyMs: SimulatedPicker["latencyMs"] = 0,
): SimulatedPicker {
  return {
    latencyMs,
    pick: (question, now) => lowestOf(question, (name) => score(name, now)),
  };
}

/** A picker that does the same, and protects the Pods whose score is not 0. */
export function protectingPicker(score: (pod: string, now: Instant) => number): SimulatedPicker {
  return {
    pick(question, now) {
      const busy = question.candidates.filter((name) => score(name, now) > 0);
      return { ...lowestOf(question, (name) => score(name, now)), protected_pods: busy };
    },
  };
}

function lowestOf({ requested, candidates }: PickPodsRequest, score: (pod: string) => number) {
  const scored = candidates.map((name) => ({ name, score: score(name) }));
  const last = scored.map((one) => one.score).sort((a, b) => a - b)[requested - 1] ?? Infinity;
  const named = (keep: (score: number) => boolean) =>
    scored.filter((one) => keep(one.score)).map(({ name }) => name);
  return { chosen_pods: named((each) => each < last), tied_pods: named((each) => each === last) };
}
