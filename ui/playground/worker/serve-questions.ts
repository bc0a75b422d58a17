import { messageOf } from "../../../src/api/message-of.ts";
import type { StoredObject } from "../../../src/api/object.ts";
import { ApiError, apiFailure } from "../../../src/machinery/client/api-error.ts";
import type { WatchEvent } from "../../../src/machinery/client/client.ts";
import { WallClock } from "../../../src/machinery/clock/wall-clock.ts";
import type { PageMessage, WorkerQuestion, WorkerMessage, Written } from "../messages.ts";
import { eventPacker, type PackedEvent, packList } from "../packed-objects.ts";
import { loadLater, needsLater } from "./later.ts";
import { PagePicker } from "./page-picker.ts";
import { PlaySession } from "./play-session.ts";
import { completeLine, loadTerminal, manifestsOf, manifestTexts, runLine } from "./run-line.ts";

/** States of time are said at most so often. */
const timeMs = 50;

/** How long an event waits for others; the page draws no oftener. */
const eventsMs = 10;

/** When what lines of the terminal need is loaded: once the page has what it shows first. */
const terminalAfterMs = 250;

/** What reaches the page, as a worker or a port has it. */
export interface ToPage {
  postMessage(message: WorkerMessage): void;
}

/** How the parts of an answer are sent. */
interface Asked {
  readonly parts: (parts: readonly unknown[]) => void;
  readonly signal: AbortSignal;
}

/** Answers the questions of a page about the cluster in this worker. */
export class QuestionServer {
  readonly #page: ToPage;
  readonly #wall = new WallClock();
  readonly #picker: PagePicker;
  readonly #edits = new Map<number, (text: string | undefined) => void>();
  #nextEdit = 0;
  readonly #open = new Map<number, AbortController>();
  #session: PlaySession | undefined;
  #timeChanged: () => void = () => undefined;

  constructor(page: ToPage) {
    this.#page = page;
    this.#picker = new PagePicker((pick, question) => page.postMessage({ pick, question }));
  }

  take(message: PageMessage): void {
    if ("picked" in message) {
      this.#picker.answered(message.picked, message.answer);
      return;
    }
    if ("edited" in message) {
      this.#edits.get(message.edited)?.(message.text);
      this.#edits.delete(message.edited);
      return;
    }
    if ("cancel" in message) {
      this.#open.get(message.id)?.abort(new Error("the page does not wait any more"));
      return;
    }
    const { id, question } = message;
    const asked = new AbortController();
    this.#open.set(id, asked);
    const parts = (more: readonly unknown[]) => this.#page.postMessage({ id, parts: more });
    this.#answer(question, { parts, signal: asked.signal })
      .then(
        (value) => this.#page.postMessage({ id, value }),
        (error: unknown) => this.#page.postMessage({ id, failure: failureOf(error) }),
      )
      .finally(() => this.#open.delete(id));
  }

  async #answer(question: WorkerQuestion, asked: Asked): Promise<unknown> {
    if (question.ask === "start") {
      if (needsLater(question.play.scenario) || question.play.files !== undefined) await loadLater();
      this.#session = await PlaySession.start(question.play, {
        wall: this.#wall,
        picker: this.#picker,
        changed: () => this.#timeChanged(),
      });
      // The page shows the cluster first.
      void this.#wall.sleep(terminalAfterMs).then(loadTerminal);
      return {};
    }
    const session = this.#session;
    if (session === undefined) throw apiFailure(503, "ServiceUnavailable", "the cluster has not started");
    return this.#ask(session, question, asked);
  }

  async #ask(
    session: PlaySession,
    question: Exclude<WorkerQuestion, { readonly ask: "start" }>,
    { parts, signal }: Asked,
  ): Promise<unknown> {
    const { client } = session.started.cluster;
    switch (question.ask) {
      case "list":
        return packList(await client.list(question.resource, question.query, signal));
      case "watch":
        await this.#passOn(client.watch(question.resource, question.query, signal), parts);
        return {};
      case "debug":
        return session.debug(question.path, new URLSearchParams(question.query)) ?? {};
      case "scenario":
        return session.scenario();
      case "manifests":
        return manifestsOf(session, signal);
      case "gates":
        return session.switchGates(question.gates);
      case "cut-watches":
        return session.cutWatches();
      case "series":
        return session.series();
      case "hang-pickers":
        return session.hangPickers(question.isOn);
      case "facts":
        return session.facts();
      case "act":
        return session.act(question.action, signal);
      case "apply":
        return (await manifestTexts()).applyText(question.text, session, signal);
      case "check":
        return (await (await manifestTexts()).checkText(question.text, session, signal)).problems;
      case "words":
        return (await manifestTexts()).wordsOfText(question, session, signal);
      case "run":
        return runLine(question.line, session, {
          write: (written: Written) => parts([written]),
          signal,
          manifest: question.manifest,
          edit: (text) => this.#edit(text, signal),
        });
      case "complete":
        return completeLine(question.line, session, signal);
      case "time":
        await session.pace.change(question.change);
        return session.pace.state;
      case "follow-time":
        return this.#followTime(session, { parts, signal });
    }
  }

  /** Passes on the events of a watch; many come at one moment, and are sent together. */
  async #passOn(events: AsyncIterable<WatchEvent<StoredObject>>, parts: Asked["parts"]): Promise<void> {
    const pack = eventPacker();
    const due: PackedEvent[] = [];
    const send = () => {
      if (due.length > 0) parts(due.splice(0));
    };
    try {
      for await (const event of events) if (due.push(pack(event)) === 1) this.#wall.after(eventsMs, send);
    } finally {
      send();
    }
  }

  /** Lets the reader change a text; nothing where the reader cancels. */
  #edit(text: string, signal: AbortSignal): Promise<string | undefined> {
    const edit = this.#nextEdit++;
    return new Promise((resolve, reject) => {
      signal.addEventListener("abort", () => reject(new Error("ended")), { once: true });
      this.#edits.set(edit, resolve);
      this.#page.postMessage({ edit, text });
    });
  }

  async #followTime(session: PlaySession, { parts, signal }: Asked): Promise<void> {
    let isDue = true;
    this.#timeChanged = () => (isDue = true);
    while (!signal.aborted) {
      if (isDue) parts([session.pace.state]);
      isDue = false;
      await this.#wall.sleep(timeMs);
    }
  }
}

function failureOf(error: unknown) {
  return { message: messageOf(error), ...(error instanceof ApiError && { status: error.status }) };
}
