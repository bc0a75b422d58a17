import type { Client } from "../../machinery/client/client.ts";
import type { PickerOutcome, UsableAnswer } from "../../decisions/downscale/picker-outcome.ts";
import { Deadline } from "../../machinery/client/http/deadline.ts";
import type { Clock } from "../../machinery/clock/clock.ts";
import { type Backoff, exponentialBackoffMs } from "../../machinery/exponential-backoff.ts";
import type { Random } from "../../machinery/random/random.ts";
import type { CallLimiter } from "./call-limiter.ts";
import {
  type FailureClass,
  permanentFailure,
  type PickerFailure,
  transientFailure,
} from "../picker-failure.ts";
import type { PickerSettings, Protocol } from "../picker-settings.ts";
import { type PickerWorkload, withWorkloadHeaders } from "../picker-workload.ts";
import { readHeaders, secretsOfHeaders } from "../credentials/read-headers.ts";
import { readSecrets, type SecretSource } from "../credentials/read-secrets.ts";
import { type CheckTrust, readTrust, secretsOfTrust, type TlsTrust } from "../credentials/read-trust.ts";
import type { Resolve } from "../addresses/resolver.ts";
import type {
  AttemptResult,
  Headers,
  PickPodsRequest,
  PickerTarget,
  Transports,
} from "../transport/transport.ts";
import { unlessAborted } from "./unless-aborted.ts";

/** One call of a picker: its settings, the Pods to choose from, and the timeout. */
export interface PickerRequest {
  readonly settings: PickerSettings;
  readonly question: PickPodsRequest;
  readonly workload: PickerWorkload;
  /** Covers reading Secrets, resolving the host, every attempt, and reading the response. */
  readonly leftMs: number;
}

export interface CallDependencies {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly resolve: Resolve;
  readonly transports: Transports;
  readonly limiter: CallLimiter;
  /** Absent: certificates are not looked at. */
  readonly checkTrust?: CheckTrust;
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
): Promise<PickerOutcome<PickerFailure>> {
  const { clock, limiter } = dependencies;
  const { leftMs, workload, settings } = request;
  const deadline = new Deadline({ clock, timeoutMs: leftMs, parent: signal, missed: "no answer" });
  const call: CallState = { deadlineAt: clock.now() + leftMs, timeoutMs: leftMs, waitedMs: 0, sent: 0 };
  const onAttempt: CallDependencies["onAttempt"] = (...result) => {
    if (!signal.aborted) dependencies.onAttempt?.(...result);
  };
  try {
    const release = await waiting(call, clock, limiter.enter(workload.namespace, deadline.signal));
    try {
      if (release !== undefined)
        return await callWithRetries(request, { ...dependencies, onAttempt, call }, deadline.signal);
      onAttempt(settings.protocol, "Saturated");
      return failedAfter(permanentFailure("Saturated"), 0, call);
    } finally {
      release?.();
    }
  } finally {
    deadline.release();
  }
}

/** The progress of a call. */
interface CallState {
  readonly deadlineAt: number;
  readonly timeoutMs: number;
  /** How long it has waited for slots; while it waits for one, also since when. */
  waitedMs: number;
  waitingSince?: number | undefined;
  /** How many requests were sent. */
  sent: number;
}

/** Waits for a slot, and notes how long that takes. */
async function waiting<T>(call: CallState, clock: Clock, slot: Promise<T>): Promise<T> {
  const from = clock.now();
  call.waitingSince = from;
  const release = await slot;
  call.waitingSince = undefined;
  call.waitedMs += clock.now() - from;
  return release;
}

interface AttemptDependencies extends CallDependencies {
  readonly call: CallState;
}

async function callWithRetries(
  request: PickerRequest,
  dependencies: AttemptDependencies,
  signal: AbortSignal,
): Promise<PickerOutcome<PickerFailure>> {
  const { clock, random, call, onAttempt } = dependencies;
  const { protocol, maxRetries } = request.settings;
  const attempt = attemptsOf(request, dependencies, signal);
  for (let attempts = 1; ; attempts++) {
    const result = (await unlessAborted(attempt(attempts), signal)) ?? timeoutOf(call, clock.now());
    const usable = usableAnswer(result);
    onAttempt?.(protocol, usable.kind === "failed" ? usable.class : "Answered");
    if (usable.kind !== "failed") return { kind: "answered", answer: usable, attempts };
    const waitMs = Math.max(backoffMs(attempts, random), usable.retryAfterMs ?? 0);
    if (!usable.isTransient || attempts > maxRetries || clock.now() + waitMs >= call.deadlineAt)
      return failedAfter(usable, attempts, call);
    await unlessAborted(clock.sleep(waitMs, signal), signal);
  }
}

/** An attempt that found no slot was not made. */
function failedAfter(
  failure: PickerFailure,
  attempts: number,
  { sent }: CallState,
): PickerOutcome<PickerFailure> {
  return { kind: "failed", failure, attempts: failure.class === "Saturated" ? sent : attempts };
}

/** The failure of a call whose time is up: one that waited for slots most of the time is no timeout of the picker. */
function timeoutOf({ timeoutMs, waitedMs, waitingSince = Infinity }: CallState, now: number): PickerFailure {
  const waited = waitedMs + Math.max(0, now - waitingSince);
  return permanentFailure(waited > timeoutMs / 2 ? "Saturated" : "Timeout");
}

/** Returns a function that makes one attempt. Its attempts share what Secrets say, so that these are read only once. */
function attemptsOf(request: PickerRequest, dependencies: AttemptDependencies, signal: AbortSignal) {
  const { settings, workload } = request;
  const { client, resolve, checkTrust } = dependencies;
  const { namespace } = workload;
  let read: ReadCredentials | undefined;
  return async (attempt: number): Promise<AttemptResult> => {
    if (read === undefined) {
      const credentials = await readCredentials(settings, { client, namespace, signal, checkTrust });
      if (credentials.kind === "failed") return credentials;
      read = { ...credentials, headers: withWorkloadHeaders(credentials.headers, workload) };
    }
    const resolved = await resolve(settings, { namespace, attempt: attempt - 1, signal });
    if (resolved.kind === "failed") return resolved;
    return send({ ...request, ...read, target: resolved.target }, dependencies, signal);
  };
}

interface ReadCredentials {
  readonly headers: Headers;
  readonly trust?: TlsTrust;
}

/** Reads the Secrets that the settings name: for headers, and for certificates. */
async function readCredentials(
  { headers: specs, trust }: PickerSettings,
  source: SecretSource & { readonly checkTrust: CheckTrust | undefined },
): Promise<(ReadCredentials & { readonly kind: "credentials" }) | PickerFailure> {
  const found = await readSecrets([...secretsOfHeaders(specs), ...secretsOfTrust(trust)], source);
  const headers = readHeaders(specs, found);
  if (headers.kind === "failed") return headers;
  if (trust === undefined) return { kind: "credentials", headers: headers.headers };
  const read = readTrust(trust, found, source.checkTrust);
  return read.kind === "failed" ? read : { kind: "credentials", headers: headers.headers, trust: read.trust };
}

interface ResolvedRequest extends PickerRequest, ReadCredentials {
  readonly target: PickerTarget;
}

/** Sends a request as soon as its address has a slot. */
async function send(
  { settings, question, target, headers, trust }: ResolvedRequest,
  { clock, limiter, transports, call }: AttemptDependencies,
  signal: AbortSignal,
): Promise<AttemptResult> {
  const release = await waiting(call, clock, limiter.connect(target.dial, signal));
  const leftMs = call.deadlineAt - clock.now();
  try {
    if (release === undefined || leftMs <= 0) return permanentFailure("Saturated");
    call.sent += 1;
    const attempt = { target, headers, question, signal, leftMs, trust };
    const sent = transports[settings.protocol].pickPods(attempt);
    return (await unlessAborted(sent, signal)) ?? timeoutOf(call, clock.now());
  } finally {
    release?.();
  }
}

function usableAnswer(result: AttemptResult): UsableAnswer | PickerFailure {
  if (result.kind === "failed") return result;
  if (result.answer.kind !== "Malformed") return result.answer;
  return result.answer.isFinal ? permanentFailure("Malformed") : transientFailure("Malformed");
}

const backoff: Backoff = { initialMs: 50, maxMs: 500 };

/** The delay before the next attempt: doubles with every failure, with a jitter of one half. */
export function backoffMs(failures: number, random: Random): number {
  return Math.min(backoff.maxMs, exponentialBackoffMs(backoff, failures - 1) * (0.5 + random.next()));
}
