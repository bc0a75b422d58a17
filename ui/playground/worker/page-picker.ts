import { permanentFailure } from "../../../src/picker/picker-failure.ts";
import type { SimulatedPicker } from "../../../src/picker/simulated-picker.ts";
import type { SandboxAnswer, SandboxQuestion } from "../messages.ts";

/** The host by which workloads name the picker that is written in the page. */
export const pagePickerHost = "picker.page.svc";

/** Keeps time still while something outside of the cluster works. */
type Hold = <T>(work: Promise<T>) => Promise<T>;

/** A pod picker whose function is in the page, where it has a worker of its own. */
export class PagePicker implements SimulatedPicker {
  readonly #ask: (id: number, question: SandboxQuestion) => void;
  readonly #asked = new Map<number, (answer: SandboxAnswer) => void>();
  #next = 0;
  /** Set once there is a clock, before anything is asked. */
  hold: Hold = (work) => work;

  constructor(ask: (id: number, question: SandboxQuestion) => void) {
    this.#ask = ask;
  }

  pick(question: SandboxQuestion): Promise<unknown> {
    const id = this.#next++;
    const answer = new Promise<SandboxAnswer>((resolve) => {
      this.#asked.set(id, resolve);
      this.#ask(id, question);
    });
    return this.hold(answer.then((given) => (given.kind === "answered" ? given.answer : failureOf(given))));
  }

  answered(id: number, answer: SandboxAnswer): void {
    this.#asked.get(id)?.(answer);
    this.#asked.delete(id);
  }
}

function failureOf({ kind }: Exclude<SandboxAnswer, { readonly kind: "answered" }>) {
  return permanentFailure(kind === "hangs" ? "Timeout" : "Malformed");
}
