import type { PickerAnswer } from "../decisions/downscale/picker-answer.ts";
import { keyOf } from "../api/object.ts";
import { Deadline } from "../machinery/client/deadline.ts";
import type { Client } from "../machinery/client/client.ts";
import type { Clock } from "../machinery/clock/clock.ts";
import type { Random } from "../machinery/random/random.ts";
import { backOffMs } from "./back-off.ts";
import { type FailureClass, lasting, passing, type PickerFailure } from "./picker-failure.ts";
import type { PickerSettings, Protocol } from "./picker-settings.ts";
import { readHeaders } from "./read-headers.ts";
import type { Resolve } from "./resolver.ts";
import { serviceNamedBy } from "./service-name.ts";
import type { Slots } from "./slots.ts";
import type { Headers, Question, Reply, Transports } from "./transport.ts";

/** One consultation: whom to ask what, in how much time. */
export interface Inquiry {
  readonly settings: PickerSettings;
  readonly question: Question;
  readonly namespace: string;
  /** For everything: Secrets, look-ups, every attempt, and reading the answer. */
  readonly leftMs: number;
}

/** What came of it. */
export type Finding =
  | { readonly kind: "answered"; readonly answer: UsableAnswer; readonly attempts: number }
  | { readonly kind: "failed"; readonly failure: PickerFailure; readonly attempts: number };

export type UsableAnswer = Exclude<PickerAnswer, { readonly kind: "Malformed" }>;

/** What the asking takes. */
export interface ConsultMeans {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly resolve: Resolve;
  readonly transports: Transports;
  readonly slots: Slots;
  /** Hears how every attempt ended, but for one that was called off: that says nothing of the picker. */
  readonly attempted?: (protocol: Protocol, result: FailureClass | "Answered") => void;
}

/**
 * Asks a picker, as often as its settings and the time allow. Ends by itself, in time, and rejects only when something
 * of ours is broken.
 */
export async function consult(inquiry: Inquiry, means: ConsultMeans, signal: AbortSignal): Promise<Finding> {
  const { clock, slots } = means;
  const { leftMs } = inquiry;
  const endsAt = clock.now() + leftMs;
  const deadline = new Deadline({ clock, timeoutMs: leftMs, parent: signal, missed: "no answer" });
  const attempted: ConsultMeans["attempted"] = (...ended) => {
    if (!signal.aborted) means.attempted?.(...ended);
  };
  try {
    const leave = await slots.take(placeOf(inquiry), deadline.signal);
    if (leave === undefined) return { kind: "failed", failure: lasting("Saturated"), attempts: 0 };
    try {
      return await tryRepeatedly(inquiry, { ...means, attempted, endsAt }, deadline.signal);
    } finally {
      leave();
    }
  } finally {
    deadline.release();
  }
}

/** Whom a call would keep busy: a Service's name means another one in every namespace. */
function placeOf({ settings: { host, port }, namespace }: Inquiry): string {
  const service = serviceNamedBy(host, namespace);
  return service?.isCertain === true ? `${keyOf({ metadata: service })}:${port}` : `${host}:${port}`;
}

interface TimedMeans extends ConsultMeans {
  readonly endsAt: number;
}

async function tryRepeatedly(inquiry: Inquiry, means: TimedMeans, signal: AbortSignal): Promise<Finding> {
  const { clock, random, endsAt, attempted } = means;
  const { protocol, maxRetries } = inquiry.settings;
  const attempt = attemptsAt(inquiry, means, signal);
  for (let attempts = 1; ; attempts++) {
    const reply = (await unlessAborted(attempt(attempts), signal)) ?? lasting("Timeout");
    const usable = usableIn(reply);
    attempted?.(protocol, usable.kind === "failed" ? usable.class : "Answered");
    if (usable.kind !== "failed") return { kind: "answered", answer: usable, attempts };
    const waitMs = Math.max(backOffMs(attempts, random), usable.retryAfterMs ?? 0);
    if (!usable.mayPass || attempts > maxRetries || clock.now() + waitMs >= endsAt)
      return { kind: "failed", failure: usable, attempts };
    await unlessAborted(clock.sleep(waitMs, signal), signal);
  }
}

/** Attempts that share what Secrets hold: they are read once, or until that works. */
function attemptsAt(inquiry: Inquiry, means: TimedMeans, signal: AbortSignal) {
  const { settings, question, namespace } = inquiry;
  const { client, clock, resolve, transports, endsAt } = means;
  let known: Headers | undefined;
  return async (attempt: number): Promise<Reply> => {
    if (known === undefined) {
      const read = await readHeaders(settings.headers, { client, namespace, signal });
      if (read.kind === "failed") return read;
      known = read.headers;
    }
    const resolved = await resolve(settings, { namespace, attempt: attempt - 1, signal });
    if (resolved.kind === "failed") return resolved;
    const call = { target: resolved.target, headers: known, question, signal, leftMs: endsAt - clock.now() };
    return transports[settings.protocol].pick(call);
  };
}

function usableIn(reply: Reply): UsableAnswer | PickerFailure {
  if (reply.kind === "failed") return reply;
  return reply.answer.kind === "Malformed" ? passing("Malformed") : reply.answer;
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
