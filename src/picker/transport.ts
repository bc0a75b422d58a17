import type { PickerAnswer } from "../decisions/downscale/picker-answer.ts";
import type { PickerFailure } from "./picker-failure.ts";
import type { Protocol } from "./picker-settings.ts";

/** What a picker is asked: that many of these Pods, by name. */
export interface PickPodsRequest {
  readonly requested: number;
  readonly candidates: readonly string[];
}

/** Where a call goes. */
export interface Target {
  /** Whose name the request and the certificate carry. */
  readonly host: string;
  readonly port: number;
  /** What is dialled: checked, and not looked up again. */
  readonly dial: { readonly address: string; readonly port: number };
  readonly tls: boolean;
  readonly path: string;
}

/** Headers in HTTP, metadata in gRPC; names may repeat. */
export type Headers = readonly (readonly [name: string, value: string])[];

const ownHeaders: ReadonlySet<string> = new Set(["accept", "user-agent"]);

/** Headers without those that every request has already; the API refuses more, but these it lets in. */
export function withoutReservedHeaders(headers: Headers): Headers {
  return headers.filter(([name]) => !ownHeaders.has(name.toLowerCase()));
}

/** One attempt to ask a picker. */
export interface Attempt {
  readonly target: Target;
  readonly headers: Headers;
  readonly question: PickPodsRequest;
  /** How much time is left, for pickers that want to know. */
  readonly leftMs: number;
  /** Aborts when there is none. */
  readonly signal: AbortSignal;
}

/** What one attempt came to. */
export type AttemptResult = { readonly kind: "answered"; readonly answer: PickerAnswer } | PickerFailure;

/** A way of asking. It never rejects, keeps nothing between calls, and reads no more than `longestAnswer`. */
export interface Transport {
  pickPods(call: Attempt): Promise<AttemptResult>;
}

export type Transports = Readonly<Record<Protocol, Transport>>;

/** What holds for every call. */
export interface TransportOptions {
  /** All the authorities whose certificates count, as PEM; absent: those the system has. */
  readonly ca?: readonly string[];
  /** Of the product. */
  readonly version?: string | undefined;
}

/** How many bytes an answer may have. */
export const maxAnswerBytes = 1024 * 1024;

/** What operators of pickers see in their logs. */
export function userAgentOf({ version }: TransportOptions): string {
  return version === undefined ? "trimtab-pod-picker" : `trimtab-pod-picker/${version}`;
}
