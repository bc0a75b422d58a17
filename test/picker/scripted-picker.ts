import type { KeyPair } from "../../src/machinery/certificates/certificate.ts";

/** What a picker got, in either protocol. */
export interface Received {
  readonly requested: number;
  readonly candidates: readonly string[];
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, unknown>>;
}

/** What a picker does with a request, in either protocol. */
export type Behaviour =
  | { readonly does: "answer"; readonly chosen?: readonly string[]; readonly tied?: readonly string[] }
  /** Says that it is too busy now. */
  | { readonly does: "shed" }
  /** Says no, for good. */
  | { readonly does: "deny" }
  /** Says nothing. */
  | { readonly does: "hang" }
  /** Drops the connection. */
  | { readonly does: "reset" }
  /** Answers with so many bytes, or more. */
  | { readonly does: "flood"; readonly bytes: number }
  /** Names Pods in bytes that are no text. */
  | { readonly does: "garble" };

/** `call` counts from 1. */
export type PickerScript = (received: Received, call: number) => Behaviour;

/** A picker on a loopback port of its own that does as told. */
export interface ScriptedPicker {
  readonly port: number;
  readonly received: readonly Received[];
  /** Resolves when so many requests have come. */
  asked(times: number): Promise<void>;
  close(): Promise<void>;
}

export type StartPicker = (script: PickerScript, tls?: KeyPair) => Promise<ScriptedPicker>;

/** The requests a picker got so far, and who waits for more. */
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
