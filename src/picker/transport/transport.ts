import type { PickerAnswer } from "../../decisions/downscale/picker-answer.ts";
import type { PickerFailure } from "../picker-failure.ts";
import type { Protocol } from "../picker-settings.ts";
import type { TlsTrust } from "../credentials/read-trust.ts";

/** The contract's request: choose `requested` of these Pods, by name. */
export interface PickPodsRequest {
  readonly requested: number;
  readonly candidates: readonly string[];
}

/** The address of an attempt. */
export interface PickerTarget {
  /** The name in the request, which the certificate has to be valid for. */
  readonly host: string;
  readonly port: number;
  /** The address to connect to: checked, and not resolved again. */
  readonly dial: { readonly address: string; readonly port: number };
  readonly tls: boolean;
  readonly path: string;
}

/** HTTP headers or gRPC metadata; names may repeat. */
export type Headers = readonly (readonly [name: string, value: string])[];

const reservedHeaders: ReadonlySet<string> = new Set(["accept", "user-agent"]);

/** Removes headers that every request has already and that the API server's validation accepts. */
export function withoutReservedHeaders(headers: Headers): Headers {
  return headers.filter(([name]) => !reservedHeaders.has(name.toLowerCase()));
}

/** One attempt of a call. */
export interface Attempt {
  readonly target: PickerTarget;
  readonly headers: Headers;
  readonly question: PickPodsRequest;
  /** How TLS is verified; absent: by the CAs of the transport, for the host. */
  readonly trust?: TlsTrust | undefined;
  /** The time until the deadline of the call, sent to gRPC pickers. */
  readonly leftMs: number;
  /** Aborts at the deadline. */
  readonly signal: AbortSignal;
}

export type AttemptResult = { readonly kind: "answered"; readonly answer: PickerAnswer } | PickerFailure;

/** Makes attempts. It never rejects, keeps no state between them, and reads at most `maxAnswerBytes`. */
export interface Transport {
  pickPods(call: Attempt): Promise<AttemptResult>;
}

export type Transports = Readonly<Record<Protocol, Transport>>;

export interface TransportOptions {
  /** All trusted CAs, as PEM; default: those of the system. */
  readonly ca?: readonly string[];
  /** The version of Trimtab. */
  readonly version?: string | undefined;
}

export const maxAnswerBytes = 1024 * 1024;

/** The user agent that pickers see. */
export function userAgentOf({ version }: TransportOptions): string {
  return version === undefined ? "trimtab-pod-picker" : `trimtab-pod-picker/${version}`;
}
