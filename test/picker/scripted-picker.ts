import type { KeyPair } from "../../src/machinery/certificates/certificate.ts";

/** A request, in either protocol. */
export interface Received {
  readonly requested: number;
  readonly candidates: readonly string[];
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, unknown>>;
}

/** How a picker responds, in either protocol. */
export type Behaviour =
  | { readonly does: "answer"; readonly chosen?: readonly string[]; readonly tied?: readonly string[] }
  /** Responds 503 or UNAVAILABLE. */
  | { readonly does: "shed" }
  /** Responds 403 or PERMISSION_DENIED. */
  | { readonly does: "deny" }
  /** Does not respond. */
  | { readonly does: "hang" }
  /** Resets the connection. */
  | { readonly does: "reset" }
  /** Responds with at least so many bytes. */
  | { readonly does: "flood"; readonly bytes: number }
  /** Names Pods in bytes that are not UTF-8. */
  | { readonly does: "garble" };

/** `call` counts from 1. */
export type PickerScript = (received: Received, call: number) => Behaviour;

/** A picker on a loopback port that follows a script. */
export interface ScriptedPicker {
  readonly port: number;
  readonly received: readonly Received[];
  /** Resolves after so many requests. */
  asked(times: number): Promise<void>;
  close(): Promise<void>;
}

export type StartPicker = (script: PickerScript, tls?: KeyPair) => Promise<ScriptedPicker>;

/** The requests so far, and the promises that wait for more. */
export class Requests {
  readonly received: Received[] = [];
  readonly #waiting: { readonly times: number; readonly resolve: () => void }[] = [];

  add(received: Received): number {
    const call = this.received.push(received);
    for (const { times, resolve } of this.#waiting) if (call >= times) resolve();
    return call;
  }

  asked(times: number): Promise<void> {
    if (this.received.length >= times) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push({ times, resolve }));
  }
}
