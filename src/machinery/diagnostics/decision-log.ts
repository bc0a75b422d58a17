/** The object a decision is about. */
export interface DecisionSubject {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/** How much a log retains. */
export interface DecisionLogLimits {
  /** Decisions about one object. */
  readonly perObject: number;
  /** The weight of all decisions together. */
  readonly weight: number;
}

/** How decisions of one kind are recorded. */
export interface DecisionEncoder<Decision, DecisionRecord> {
  readonly limits: DecisionLogLimits;
  readonly subject: (decision: Decision) => DecisionSubject;
  /** About how many entries the record has: Pods, revisions or nodes. */
  readonly weight: (decision: Decision) => number;
  /** The decision as plain JSON. */
  readonly toRecord: (decision: Decision) => DecisionRecord;
  /** Whether a record repeats the previous one about the same object; the log then does not keep it. */
  readonly isRepeat?: (previous: DecisionRecord, next: DecisionRecord) => boolean;
}

/** Selects records by the object they are about; an absent or empty member selects all. */
export interface DecisionQuery {
  readonly namespace?: string;
  readonly name?: string;
}

interface Entry<DecisionRecord> {
  readonly subject: DecisionSubject;
  readonly weight: number;
  readonly record: DecisionRecord;
}

/**
 * The latest decisions of one kind. Beyond the limit per object the oldest decision about that object is evicted, and
 * beyond the limit by weight the oldest of all; the newest is always retained, however heavy it is.
 */
export class DecisionLog<Decision, DecisionRecord> {
  readonly #encoder: DecisionEncoder<Decision, DecisionRecord>;
  readonly #limits: DecisionLogLimits;
  /** Oldest first. */
  readonly #entries = new Set<Entry<DecisionRecord>>();
  readonly #byObject = new Map<string, readonly Entry<DecisionRecord>[]>();
  #weight = 0;

  constructor(encoder: DecisionEncoder<Decision, DecisionRecord>, limits: Partial<DecisionLogLimits> = {}) {
    this.#encoder = encoder;
    this.#limits = { ...encoder.limits, ...limits };
  }

  get size(): number {
    return this.#entries.size;
  }

  add(decision: Decision): void {
    const entry = this.#encode(decision);
    const known = this.#about(entry.subject);
    if (this.#isRepeat(known.at(-1), entry)) return;
    this.#entries.add(entry);
    this.#byObject.set(keyOf(entry.subject), [...known, entry]);
    this.#weight += entry.weight;
    if (known.length >= this.#limits.perObject) this.#evict(known[0]);
    for (const oldest of this.#entries) {
      if (this.#weight <= this.#limits.weight || oldest === entry) break;
      this.#evict(oldest);
    }
  }

  /** The records that match, newest first. */
  find({ namespace = "", name = "" }: DecisionQuery = {}): readonly DecisionRecord[] {
    return [...this.#entries]
      .filter(({ subject }) => namespace === "" || subject.namespace === namespace)
      .filter(({ subject }) => name === "" || subject.name === name)
      .reverse()
      .map(({ record }) => record);
  }

  #encode(decision: Decision): Entry<DecisionRecord> {
    const { subject, weight, toRecord } = this.#encoder;
    return { subject: subject(decision), weight: weight(decision), record: toRecord(decision) };
  }

  #isRepeat(previous: Entry<DecisionRecord> | undefined, next: Entry<DecisionRecord>): boolean {
    const { isRepeat } = this.#encoder;
    return isRepeat !== undefined && previous !== undefined && isRepeat(previous.record, next.record);
  }

  #about(subject: DecisionSubject): readonly Entry<DecisionRecord>[] {
    return this.#byObject.get(keyOf(subject)) ?? [];
  }

  #evict(entry: Entry<DecisionRecord> | undefined): void {
    if (entry === undefined || !this.#entries.delete(entry)) return;
    this.#weight -= entry.weight;
    const left = this.#about(entry.subject).filter((other) => other !== entry);
    if (left.length === 0) this.#byObject.delete(keyOf(entry.subject));
    else this.#byObject.set(keyOf(entry.subject), left);
  }
}

function keyOf({ kind, namespace, name, uid }: DecisionSubject): string {
  return `${kind}/${namespace}/${name}/${uid}`;
}
