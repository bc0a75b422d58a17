import type { PickerAnswer } from "../../decisions/downscale/picker-answer.ts";
import type { Protocol } from "../picker-settings.ts";
import type { Headers, PickPodsRequest } from "../transport/transport.ts";

/** What a picker does with a message. */
export type Reply =
  /** Status 200 or OK; what it says may still be malformed. */
  | { readonly kind: "answer"; readonly answer: PickerAnswer; readonly contentType?: string | undefined }
  | {
      readonly kind: "error";
      /** `HTTP 503`, `gRPC UNAVAILABLE`. */
      readonly code: string;
      /** Whose fault the picker says it is. */
      readonly blames: "caller" | "credentials" | "picker";
    }
  /** No response at all, for a reason to be shown after "there was no answer: ". */
  | { readonly kind: "silent"; readonly reason: string };

/** A message to a picker, right or wrong. */
export interface ProbeMessage {
  readonly body: Uint8Array;
  /** The Pods that an answer may name. */
  readonly candidates: readonly string[];
  /** Over HTTP; default: POST. */
  readonly method?: string;
  /** Over HTTP; default: application/json. */
  readonly contentType?: string;
  /** Over HTTP: breaks the connection in the middle of the body. */
  readonly isCutShort?: boolean;
  /** Leaves tokens, headers and the client certificate out. */
  readonly isAnonymous?: boolean;
}

/** Sends single messages to the picker that is checked, and to no other address. */
export interface PickerProbe {
  readonly protocol: Protocol;
  encode(question: PickPodsRequest, extra?: "unknown members"): Uint8Array;
  /** Bytes that are no question in this protocol. */
  readonly nonsense: Uint8Array;
  send(message: ProbeMessage, signal: AbortSignal): Promise<Reply>;
}

/** Where the picker is, and what callers show it. */
export interface ProbeTarget {
  readonly protocol: Protocol;
  readonly host: string;
  readonly port: number;
  readonly path: string;
  readonly tls?: ProbeTls | undefined;
  /** Tokens and other headers that the author of the workload sets. */
  readonly headers: Headers;
  /** Whose Pods they are, as the controller says. */
  readonly workload: Headers;
}

/** All of it as PEM. */
export interface ProbeTls {
  readonly ca?: string | undefined;
  readonly certificate?: string | undefined;
  readonly key?: string | undefined;
  /** The name in the certificate; default: the host. */
  readonly serverName?: string | undefined;
}

/** A reason for silence that says what to do, where the error alone does not. */
export function silent(error: unknown, signal: AbortSignal): Reply {
  const reason: unknown = signal.aborted ? signal.reason : error;
  return { kind: "silent", reason: reason instanceof Error ? reason.message : String(reason) };
}
