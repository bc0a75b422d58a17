import { keyOf } from "../api/object.ts";
import type { Client } from "../machinery/client/client.ts";
import { Deadline } from "../machinery/client/deadline.ts";
import type { Clock } from "../machinery/clock/clock.ts";
import { type Backoff, exponentialBackoffMs } from "../machinery/exponential-backoff.ts";
import type { Random } from "../machinery/random/random.ts";
import type { ConcurrencyLimiter } from "./concurrency-limiter.ts";
import {
  type FailureClass,
  permanentFailure,
  type PickerFailure,
  transientFailure,
} from "./picker-failure.ts";
import type { PickerOutcome, UsableAnswer } from "./picker-outcome.ts";
import type { PickerSettings, Protocol } from "./picker-settings.ts";
import { readHeaders } from "./read-headers.ts";
import type { Resolve } from "./resolver.ts";
import { parseServiceHost } from "./service-endpoints.ts";
import type { AttemptResult, Headers, PickPodsRequest, Transports } from "./transport.ts";

/** One call of a picker: its settings, the Pods to choose from, and the timeout. */
export interface PickerRequest {
  readonly settings: PickerSettings;
  readonly question: PickPodsRequest;
  readonly namespace: string;
  /** Covers reading Secrets, resolving the host, every attempt, and reading the response. */
  readonly leftMs: number;
}

export interface CallDependencies {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly resolve: Resolve;
  readonly transports: Transports;
  readonly limiter: ConcurrencyLimiter;
  /** Called with the result of every attempt, except those of a cancelled call. */
  readonly onAttempt?: (protocol: Protocol, result: FailureClass | "Answered") => void;
}

/**
 * Calls a picker and retries as its settings and the timeout allow. Resolves at the timeout at the latest; a failed call
 * is an outcome, so a rejection is a bug.
 */
export async function callPicker(
  request: PickerRequest,
  dependencies: CallDependencies,
  signal: AbortSignal,
): Promise<PickerOutcome> {
  const { clock, limiter } = dependencies;
  const { leftMs } = request;
  const deadlineAt = clock.now() + leftMs;
  const deadline = new Deadline({ clock, timeoutMs: leftMs, parent: signal, missed: "no answer" });
  const onAttempt: CallDependencies["onAttempt"] = (...result) => {
    if (!signal.aborted) dependencies.onAttempt?.(...result);
  };
  try {
    const release = await limiter.acquire(limiterKey(request), deadline.signal);
    if (release === undefined) return { kind: "failed", failure: permanentFailure("Saturated"), attempts: 0 };
    try {
      return await callWithRetries(request, { ...dependencies, onAttempt, deadlineAt }, deadline.signal);
    } finally {
      release();
    }
  } finally {
    deadline.release();
  }
}

/** The host whose calls are limited: the name of a Service stands for a different one in every namespace. */
function limiterKey({ settings: { host, port }, namespace }: PickerRequest): string {
  const service = parseServiceHost(host, namespace);
  return service?.isCertain === true ? `${keyOf({ metadata: service })}:${port}` : `${host}:${port}`;
}

interface AttemptDependencies extends CallDependencies {
  readonly deadlineAt: number;
}

async function callWithRetries(
  request: PickerRequest,
  dependencies: AttemptDependencies,
  signal: AbortSignal,
): Promise<PickerOutcome> {
  const { clock, random, deadlineAt, onAttempt } = dependencies;
  const { protocol, maxRetries } = request.settings;
  const attempt = attemptsOf(request, dependencies, signal);
  for (let attempts = 1; ; attempts++) {
    const result = (await unlessAborted(attempt(attempts), signal)) ?? permanentFailure("Timeout");
    const usable = usableAnswer(result);
    onAttempt?.(protocol, usable.kind === "failed" ? usable.class : "Answered");
    if (usable.kind !== "failed") return { kind: "answered", answer: usable, attempts };
    const waitMs = Math.max(backoffMs(attempts, random), usable.retryAfterMs ?? 0);
    if (!usable.isTransient || attempts > maxRetries || clock.now() + waitMs >= deadlineAt)
      return { kind: "failed", failure: usable, attempts };
    await unlessAborted(clock.sleep(waitMs, signal), signal);
  }
}

/** Returns a function that makes one attempt. Its attempts share the headers, so that Secrets are read only once. */
function attemptsOf(request: PickerRequest, dependencies: AttemptDependencies, signal: AbortSignal) {
  const { settings, question, namespace } = request;
  const { client, clock, resolve, transports, deadlineAt } = dependencies;
  let headers: Headers | undefined;
  return async (attempt: number): Promise<AttemptResult> => {
    if (headers === undefined) {
      const read = await readHeaders(settings.headers, { client, namespace, signal });
      if (read.kind === "failed") return read;
      headers = read.headers;
    }
    const resolved = await resolve(settings, { namespace, attempt: attempt - 1, signal });
    if (resolved.kind === "failed") return resolved;
    const { target } = resolved;
    return transports[settings.protocol].pickPods({
      target,
      headers,
      question,
      signal,
      leftMs: deadlineAt - clock.now(),
    });
  };
}

function usableAnswer(result: AttemptResult): UsableAnswer | PickerFailure {
  if (result.kind === "failed") return result;
  if (result.answer.kind !== "Malformed") return result.answer;
  return result.answer.isFinal ? permanentFailure("Malformed") : transientFailure("Malformed");
}

/** Resolves with the result of `work`, or with `undefined` as soon as the signal aborts. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const stop = () => resolve(undefined);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}

const backoff: Backoff = { initialMs: 50, maxMs: 500 };

/** The delay before the next attempt: doubles with every failure, with a jitter of one half. */
export function backoffMs(failures: number, random: Random): number {
  return Math.min(backoff.maxMs, exponentialBackoffMs(backoff, failures - 1) * (0.5 + random.next()));
}
