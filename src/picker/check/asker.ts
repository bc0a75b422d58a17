import type { PickerAnswer } from "../../decisions/downscale/picker-answer.ts";
import { Deadline } from "../../machinery/client/http/deadline.ts";
import { type Clock, elapsedMs } from "../../machinery/clock/clock.ts";
import type { Protocol } from "../picker-settings.ts";
import type { PickPodsRequest } from "../transport/transport.ts";
import type { PickerProbe, ProbeMessage, Reply } from "./probe.ts";

export interface CheckOptions {
  readonly probe: PickerProbe;
  readonly clock: Clock;
  /** Pods to ask about: at least two. */
  readonly candidates: readonly string[];
  /** How long an answer may take: the workload's `timeoutSeconds`. */
  readonly limitMs: number;
  /** How many Pods the largest question has. */
  readonly largest: number;
  /** Whether callers show a token, a header or a certificate. */
  readonly hasCredentials: boolean;
  /** Whether the connection is encrypted, or leads to this machine only. */
  readonly isPrivate: boolean;
  readonly signal: AbortSignal;
}

/** A question of the contract and the picker's reply. */
export interface CheckedQuestion {
  /** The row of the contract that asked it. */
  readonly row: string;
  readonly question: PickPodsRequest;
  readonly reply: Reply;
  readonly tookMs: number;
}

/** Waits this much longer than allowed, to report how late an answer is. */
const patienceMs = 5000;

/** Stops asking after this many questions in a row without a response. */
const mostSilent = 3;

/** Asks the picker under test and keeps its replies. */
export class Asker {
  readonly options: CheckOptions;
  readonly asked: CheckedQuestion[] = [];
  /** The row of the contract that asks now. */
  row = "";
  #silent = 0;

  constructor(options: CheckOptions) {
    this.options = options;
  }

  get protocol(): Protocol {
    return this.options.probe.protocol;
  }

  /** Reports whether the picker has stopped responding. */
  get isGivenUp(): boolean {
    return this.#silent >= mostSilent || this.options.signal.aborted;
  }

  /** Asks a question of the contract. */
  async ask(question: PickPodsRequest, extra?: "unknown members"): Promise<CheckedQuestion> {
    const { probe, clock } = this.options;
    const from = elapsedMs(clock);
    const reply = await this.send({
      body: probe.encode(question, extra),
      candidates: question.candidates,
    });
    // Counts questions only: a picker may refuse any other message by closing the connection.
    this.#silent = reply.kind === "silent" ? this.#silent + 1 : 0;
    const asked = { row: this.row, question, reply, tookMs: elapsedMs(clock) - from };
    this.asked.push(asked);
    return asked;
  }

  /** Sends any message, without recording the reply or its duration. */
  async send(message: ProbeMessage, leaving?: AbortSignal): Promise<Reply> {
    const { probe, clock, limitMs, signal } = this.options;
    const parent = leaving === undefined ? signal : AbortSignal.any([signal, leaving]);
    const deadline = new Deadline({ clock, timeoutMs: limitMs + patienceMs, parent, missed: "no answer" });
    try {
      return await probe.send(message, deadline.signal);
    } finally {
      deadline.release();
    }
  }

  /** The answers to all questions so far that are not malformed. */
  answers(): readonly Exclude<PickerAnswer, { kind: "Malformed" }>[] {
    return this.asked.flatMap(({ reply }) =>
      reply.kind === "answer" && reply.answer.kind !== "Malformed" ? [reply.answer] : [],
    );
  }
}
