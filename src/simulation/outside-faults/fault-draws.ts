import { type Random, seededRandom } from "../../machinery/random/random.ts";
import type { OutsideFaultName, Probabilities } from "./fault-profiles.ts";

/** What a request is recognised by when a program runs again. */
export interface FaultSubject {
  readonly user: string;
  /** The verb of a request, or `event` for an event of a watch. */
  readonly verb: string;
  /** With its subresource. */
  readonly resource: string;
  /** `namespace/name`; generated names end in `*` behind their prefix. */
  readonly name: string;
}

/** One request, or one event, of a subject. */
export interface NumberedSubject extends FaultSubject {
  /** How many of the subject there were, with this one. */
  readonly count: number;
}

/** A fault that is injected, and the random numbers of its details. */
export interface DrawnFault<Name extends OutsideFaultName = OutsideFaultName> {
  readonly fault: Name;
  readonly subject: NumberedSubject;
  /** Names the fault: the same seed draws it again for the same request. */
  readonly identity: string;
  readonly random: Random;
}

/** How many subjects are counted; beyond that the one that was counted first starts anew. */
const mostSubjects = 100_000;

/** Returns the name of a fault in a request. */
export function faultIdentity(
  fault: OutsideFaultName,
  { user, verb, resource, name, count }: NumberedSubject,
): string {
  return `${fault} ${user} ${verb} ${resource} ${name} #${count}`;
}

/**
 * Decides which requests have which faults. Each decision is a hash of the seed, the fault and the request, so that it
 * depends neither on other requests nor on the order in which concurrent ones arrive.
 */
export class FaultDraws {
  readonly #seed: string;
  readonly #probabilities: Probabilities;
  readonly #only: ReadonlySet<string> | undefined;
  readonly #counts = new Map<string, number>();

  constructor(seed: string, probabilities: Probabilities, only?: ReadonlySet<string>) {
    this.#seed = seed;
    this.#probabilities = probabilities;
    this.#only = only;
  }

  /** Counts a request. */
  count(subject: FaultSubject): NumberedSubject {
    const key = JSON.stringify([subject.user, subject.verb, subject.resource, subject.name]);
    const count = (this.#counts.get(key) ?? 0) + 1;
    if (count === 1 && this.#counts.size >= mostSubjects) this.#forgetFirst();
    this.#counts.set(key, count);
    return { ...subject, count };
  }

  /** Returns the first of these faults that the request has, if any. */
  draw<Name extends OutsideFaultName>(
    subject: NumberedSubject,
    faults: readonly Name[],
  ): DrawnFault<Name> | undefined {
    for (const fault of faults) {
      const probability = this.#probabilities.get(fault) ?? 0;
      if (probability === 0) continue;
      const identity = faultIdentity(fault, subject);
      if (this.#only?.has(identity) === false) continue;
      const random = seededRandom(`${this.#seed} ${identity}`);
      if (random.next() < probability) return { fault, subject, identity, random };
    }
    return undefined;
  }

  #forgetFirst(): void {
    const [first] = this.#counts.keys();
    if (first !== undefined) this.#counts.delete(first);
  }
}
