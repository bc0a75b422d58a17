import { ApiError } from "../../src/machinery/client/api-error.ts";
import type {
  PageMessage,
  SandboxAnswer,
  SandboxQuestion,
  WorkerQuestion,
  WorkerMessage,
} from "./messages.ts";

/** What the page has of a worker. */
export interface WorkerPort {
  postMessage(message: PageMessage): void;
  addEventListener(type: "message", listener: (message: MessageEvent<WorkerMessage>) => void): void;
  addEventListener(type: "error", listener: (error: ErrorEvent) => void): void;
}

interface Waiting {
  readonly parts: ((parts: readonly unknown[]) => void) | undefined;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** Asks the worker with the cluster. */
export class WorkerLink {
  readonly #port: WorkerPort;
  readonly #waiting = new Map<number, Waiting>();
  #next = 0;
  #pick: ((question: SandboxQuestion) => Promise<SandboxAnswer>) | undefined;
  #edit: ((text: string) => Promise<string | undefined>) | undefined;

  constructor(port: WorkerPort) {
    this.#port = port;
    port.addEventListener("message", ({ data }) => this.#take(data));
    port.addEventListener("error", ({ message }) => {
      for (const { reject } of this.#waiting.values()) reject(new Error(message));
      this.#waiting.clear();
    });
  }

  /** Resolves to the answer; its parts, where it has any, are passed on as they come. */
  ask<T>(
    question: WorkerQuestion,
    {
      parts,
      signal,
    }: {
      readonly parts?: (parts: readonly unknown[]) => void;
      readonly signal?: AbortSignal | undefined;
    } = {},
  ): Promise<T> {
    const id = this.#next++;
    return new Promise<unknown>((resolve, reject) => {
      this.#waiting.set(id, { parts, resolve, reject });
      signal?.addEventListener("abort", () => this.#port.postMessage({ id, cancel: true }), { once: true });
      this.#port.postMessage({ id, question });
    }) as Promise<T>;
  }

  /** Lets a function answer for the picker of the page, until what is returned is called. */
  answerPicker(pick: (question: SandboxQuestion) => Promise<SandboxAnswer>): () => void {
    this.#pick = pick;
    return () => {
      if (this.#pick === pick) this.#pick = undefined;
    };
  }

  /** Lets a function change texts for `kubectl edit`, until what is returned is called; nothing means cancelled. */
  answerEdit(edit: (text: string) => Promise<string | undefined>): () => void {
    this.#edit = edit;
    return () => {
      if (this.#edit === edit) this.#edit = undefined;
    };
  }

  async #answerEdit(edited: number, shown: string): Promise<void> {
    const text = await this.#edit?.(shown);
    this.#port.postMessage({ edited, ...(text !== undefined && { text }) });
  }

  async #answerPicker(picked: number, question: SandboxQuestion): Promise<void> {
    const answer = (await this.#pick?.(question)) ?? { kind: "fails", why: "there is no picker" };
    this.#port.postMessage({ picked, answer });
  }

  #take(message: WorkerMessage): void {
    if ("pick" in message) {
      void this.#answerPicker(message.pick, message.question);
      return;
    }
    if ("edit" in message) {
      void this.#answerEdit(message.edit, message.text);
      return;
    }
    const waiting = this.#waiting.get(message.id);
    if (waiting === undefined) return;
    if ("parts" in message) {
      waiting.parts?.(message.parts);
      return;
    }
    this.#waiting.delete(message.id);
    if ("value" in message) waiting.resolve(message.value);
    else waiting.reject(errorOf(message.failure));
  }
}

function errorOf({ message, status }: Extract<WorkerMessage, { failure: unknown }>["failure"]): Error {
  return status === undefined ? new Error(message) : new ApiError(status);
}
