import type { PickerAnswer } from "../decisions/downscale/picker-answer.ts";
import { keyOf } from "../api/object.ts";
import { Deadline } from "../machinery/client/deadline.ts";
import type { Client } from "../machinery/client/client.ts";
import type { Clock } from "../machinery/clock/clock.ts";
import type { Random } from "../machinery/random/random.ts";
import { backOffMs } from "./back-off.ts";
import {
  type FailureClass,
  permanentFailure,
  transientFailure,
  type PickerFailure,
} from "./picker-failure.ts";
import type { PickerSettings, Protocol } from "./picker-settings.ts";
import { readHeaders } from "./read-headers.ts";
import type { Resolve } from "./resolver.ts";
import { serviceNamedBy } from "./service-name.ts";
import type { ConcurrencyLimiter } from "./concurrency-limiter.ts";
import type { Headers, PickPodsRequest, AttemptResult, Transports } from "./transport.ts";

/** One consultation: whom to ask what, in how much time. */
export interface PickerRequest {
  readonly settings: PickerSettings;
  readonly question: PickPodsRequest;
  readonly namespace: string;
  /** For everything: Secrets, look-ups, every attempt, and reading the answer. */
  readonly leftMs: number;
}

/** What came of it. */
export type PickerOutcome =
  | { readonly kind: "answered"; readonly answer: UsableAnswer; readonly attempts: number }
  | { readonly kind: "failed"; readonly failure: PickerFailure; readonly attempts: number };

export type UsableAnswer = Exclude<PickerAnswer, { readonly kind: "Malformed" }>;

/** What the asking takes. */
export interface CallDependencies {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly resolve: Resolve;
  readonly transports: Transports;
  readonly limiter: ConcurrencyLimiter;
  /** Hears how every attempt ended, but for one that was called off: that says nothing of the picker. */
  readonly onAttempt?: (protocol: Protocol, result: FailureClass | "Answered") => void;
}

/**
 * Asks a picker, as often as its settings and the time allow. Ends by itself, in time, and rejects only when something
 * of ours is broken.
 */
export async function callPicker(
  inquiry: PickerRequest,
  means: CallDependencies,
  signal: AbortSignal,
): Promise<PickerOutcome> {
  const { clock, limiter } = means;
  const { leftMs } = inquiry;
  const endsAt = clock.now() + leftMs;
  const deadline = new Deadline({ clock, timeoutMs: leftMs, parent: signal, missed: "no answer" });
  const attempted: CallDependencies["onAttempt"] = (...ended) => {
    if (!signal.aborted) means.onAttempt?.(...ended);
  };
  try {
    const leave = await limiter.acquire(limiterKey(inquiry), deadline.signal);
    if (leave === undefined) return { kind: "failed", failure: permanentFailure("Saturated"), attempts: 0 };
    try {
      return await callWithRetries(inquiry, { ...means, onAttempt: attempted, endsAt }, deadline.signal);
    } finally {
      leave();
    }
  } finally {
    deadline.release();
  }
}

/** Whom a call would keep busy: a Service's name means another one in every namespace. */
function limiterKey({ settings: { host, port }, namespace }: PickerRequest): string {
  const service = serviceNamedBy(host, namespace);
  return service?.isCertain === true ? `${keyOf({ metadata: service })}:${port}` : `${host}:${port}`;
}

interface TimedMeans extends CallDependencies {
  readonly endsAt: number;
}

async function callWithRetries(
  inquiry: PickerRequest,
  means: TimedMeans,
  signal: AbortSignal,
): Promise<PickerOutcome> {
  const { clock, random, endsAt, onAttempt } = means;
  const { protocol, maxRetries } = inquiry.settings;
  const attempt = attemptsAt(inquiry, means, signal);
  for (let attempts = 1; ; attempts++) {
    const reply = (await unlessAborted(attempt(attempts), signal)) ?? permanentFailure("Timeout");
    const usable = usableIn(reply);
    onAttempt?.(protocol, usable.kind === "failed" ? usable.class : "Answered");
    if (usable.kind !== "failed") return { kind: "answered", answer: usable, attempts };
    const waitMs = Math.max(backOffMs(attempts, random), usable.retryAfterMs ?? 0);
    if (!usable.isTransient || attempts > maxRetries || clock.now() + waitMs >= endsAt)
      return { kind: "failed", failure: usable, attempts };
    await unlessAborted(clock.sleep(waitMs, signal), signal);
  }
}

/** Attempts that share what Secrets hold: they are read once, or until that works. */
function attemptsAt(inquiry: PickerRequest, means: TimedMeans, signal: AbortSignal) {
  const { settings, question, namespace } = inquiry;
  const { client, clock, resolve, transports, endsAt } = means;
  let known: Headers | undefined;
  return async (attempt: number): Promise<AttemptResult> => {
    if (known === undefined) {
      const read = await readHeaders(settings.headers, { client, namespace, signal });
      if (read.kind === "failed") return read;
      known = read.headers;
    }
    const resolved = await resolve(settings, { namespace, attempt: attempt - 1, signal });
    if (resolved.kind === "failed") return resolved;
    const call = { target: resolved.target, headers: known, question, signal, leftMs: endsAt - clock.now() };
    return transports[settings.protocol].pickPods(call);
  };
}

function usableIn(reply: AttemptResult): UsableAnswer | PickerFailure {
  if (reply.kind === "failed") return reply;
  return reply.answer.kind === "Malformed" ? transientFailure("Malformed") : reply.answer;
}

/** What work comes to; `undefined` when the signal aborts first, whether the work heeds it or not. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const stop = () => resolve(undefined);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
