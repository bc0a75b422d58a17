import type { Labels, LabelSelection } from "../../../api/labels/label-selector.ts";
import { deepEqual } from "../../../api/deep-equal.ts";
import type { LiveCounter } from "./live-counter.ts";
import { selectionKey } from "../../../decisions/placement/objects/pod-selection.ts";
import { pairsOf } from "../../../decisions/placement/objects/reading.ts";

/** Pods of one namespace with the same labels: a selection matches all of them or none. */
export interface LabelClass {
  readonly labels: Labels;
  /** The counters whose selection matches. */
  readonly counters: LiveCounter[];
  /** The number of Pods that are counted. */
  pods: number;
}

interface NamespaceClasses {
  readonly classes: Map<string, LabelClass>;
  /** By their selection as text. */
  readonly counters: Map<string, LiveCounter>;
  /** By the selection itself: most are asked for again and again. */
  readonly bySelection: WeakMap<LabelSelection, LiveCounter>;
}

/** Beyond this many counters the least recently used half of them is given up. */
const maxCounters = 2000;

/** The label classes and the counters of every namespace. */
export class LabelClasses {
  readonly #namespaces = new Map<string, NamespaceClasses>();
  #counters = 0;
  #latest: { readonly namespace: string; readonly entered: LabelClass } | undefined;
  #uses = 0;

  /** Adds a Pod to its class and returns the class. */
  enter(namespace: string, labels: Labels): LabelClass {
    const entered = this.#latestIn(namespace, labels) ?? this.#classOf(namespace, labels);
    entered.pods++;
    this.#latest = { namespace, entered };
    return entered;
  }

  /** The class of the Pod that was added last, if it is the same: the Pods of a workload come one after the other. */
  #latestIn(namespace: string, labels: Labels): LabelClass | undefined {
    if (this.#latest?.namespace !== namespace) return undefined;
    const { entered } = this.#latest;
    return entered.pods > 0 && deepEqual(entered.labels, labels) ? entered : undefined;
  }

  #classOf(namespace: string, labels: Labels): LabelClass {
    const { classes, counters } = this.#of(namespace);
    const key = classKey(labels);
    const known = classes.get(key);
    if (known !== undefined) return known;
    const matching = [...counters.values()].filter((each) => each.counts(labels));
    const made: LabelClass = { labels, counters: matching, pods: 0 };
    classes.set(key, made);
    return made;
  }

  /** Removes a Pod from its class. */
  leave(namespace: string, left: LabelClass): void {
    if (--left.pods > 0) return;
    const { classes, counters } = this.#of(namespace);
    classes.delete(classKey(left.labels));
    if (classes.size + counters.size === 0) this.#namespaces.delete(namespace);
  }

  /** The counter of a selection, if there is one. */
  find(namespace: string, selection: LabelSelection): LiveCounter | undefined {
    const { counters, bySelection } = this.#of(namespace);
    const known = bySelection.get(selection) ?? counters.get(selectionKey(selection));
    if (known === undefined) return undefined;
    bySelection.set(selection, known);
    known.usedAt = ++this.#uses;
    return known;
  }

  /** Adds a counter, which has counted nothing yet. */
  register(namespace: string, counter: LiveCounter): void {
    if (this.#counters >= maxCounters) this.#giveUpOldest();
    const { classes, counters } = this.#of(namespace);
    counter.usedAt = ++this.#uses;
    counters.set(selectionKey(counter.selection), counter);
    this.#counters++;
    for (const each of classes.values()) if (counter.counts(each.labels)) each.counters.push(counter);
  }

  /** Every counter with its namespace. */
  *counters(): Generator<readonly [namespace: string, counter: LiveCounter]> {
    for (const [namespace, { counters }] of this.#namespaces) {
      for (const counter of counters.values()) yield [namespace, counter];
    }
  }

  #giveUpOldest(): void {
    const ages = [...this.counters()].map(([, { usedAt }]) => usedAt).sort((a, b) => a - b);
    const limit = ages[ages.length >> 1] ?? 0;
    for (const [namespace, { classes, counters }] of this.#namespaces) {
      const isOld = ({ usedAt }: LiveCounter): boolean => usedAt < limit;
      const kept = [...counters].filter(([, counter]) => !isOld(counter));
      for (const counter of counters.values()) if (isOld(counter)) counter.release();
      for (const each of classes.values()) {
        each.counters.splice(0, Infinity, ...each.counters.filter((counter) => !isOld(counter)));
      }
      if (classes.size + kept.length === 0) this.#namespaces.delete(namespace);
      else this.#namespaces.set(namespace, { classes, counters: new Map(kept), bySelection: new WeakMap() });
    }
    this.#counters = [...this.counters()].length;
  }

  #of(namespace: string): NamespaceClasses {
    const known = this.#namespaces.get(namespace);
    if (known !== undefined) return known;
    const made: NamespaceClasses = { classes: new Map(), counters: new Map(), bySelection: new WeakMap() };
    this.#namespaces.set(namespace, made);
    return made;
  }
}

/** Labels as text, the same for any order of keys. Values may be anything, so the text has to be unambiguous. */
function classKey(labels: Labels): string {
  const pairs = pairsOf(labels);
  return JSON.stringify(
    pairs.length > 1 ? pairs.toSorted(([a], [b]) => (a < b ? -1 : Number(a > b))) : pairs,
  );
}
