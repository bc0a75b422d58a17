import { shareIn } from "../../api/documents/share-schema.ts";
import type { Pod } from "../../api/generated/core-v1.ts";
import { keyOf } from "../../api/object.ts";
import { type LabelSelection, matchesLabels, nothing } from "../../api/labels/label-selector.ts";
import { parseLabelSelector } from "../../api/labels/parse-label-selector.ts";
import { readySince } from "../../api/pod-state.ts";
import type { Instant } from "../../api/time.ts";
import { durationSetting } from "../../cluster/kubelet/behaviour/setting-values.ts";
import { type Random, randomInt } from "../../machinery/random/random.ts";
import type { WorkDocument } from "../scenario-files/scenario-document.ts";

/** The work of a busy Pod. */
export interface Busy {
  readonly tasks: number;
  /** When it began. */
  readonly since: Instant;
}

/** The work of one Pod, as of the last time that it was asked for. */
interface PodWork {
  readonly entry: Entry;
  readonly draw: () => number;
  readonly tasks: number;
  /** Whether it ever works, for entries that draw that. */
  readonly isChosen: boolean;
  /** The current period, for Pods that alternate between busy and idle. */
  isBusy: boolean;
  since: Instant;
  until: Instant;
}

interface Entry extends WorkDocument {
  readonly selection: LabelSelection;
  /** How many Pods of `first` are there already. */
  given: number;
}

/** Decides which Pods are busy, from the scenario and a seed; callers pass the time. */
export class BusyPods {
  readonly #entries: readonly Entry[];
  readonly #random: Random;
  readonly #work = new Map<string, PodWork>();

  constructor(work: readonly WorkDocument[], random: Random) {
    this.#entries = work.map((entry) => ({ ...entry, selection: selectionIn(entry.selector), given: 0 }));
    this.#random = random;
  }

  get isEmpty(): boolean {
    return this.#entries.length === 0;
  }

  /** Must be called for every new Pod: `first` counts Pods in the order of their creation. */
  created(pod: Pod): void {
    const entry = this.#entries.find(
      ({ selection, namespace }) =>
        (namespace === undefined || namespace === pod.metadata.namespace) &&
        matchesLabels(selection, pod.metadata.labels),
    );
    if (entry === undefined) return;
    const random = this.#random.fork(keyOf(pod));
    const draw = () => random.next();
    const isChosen = draw() < chanceOf(entry) && (entry.first === undefined || entry.given < entry.first);
    if (isChosen) entry.given++;
    const tasks = drawTasks(entry.tasks ?? 1, random);
    this.#work.set(pod.metadata.uid, { entry, draw, tasks, isChosen, isBusy: false, since: 0, until: 0 });
  }

  gone(pod: Pod): void {
    this.#work.delete(pod.metadata.uid);
  }

  /** What a Pod does now; `undefined` when it is idle. */
  workOf(pod: Pod, now: Instant): Busy | undefined {
    const work = this.#work.get(pod.metadata.uid);
    if (work === undefined || !work.isChosen) return undefined;
    if (work.since === 0) {
      const ready = readySince(pod);
      if (ready === undefined) return undefined;
      begin(work, ready);
    }
    while (work.until <= now) turn(work);
    return work.isBusy ? { tasks: work.tasks, since: work.since } : undefined;
  }
}

function begin(work: PodWork, ready: Instant): void {
  const { busyFor, idleFor } = work.entry;
  work.since = ready;
  work.isBusy = true;
  work.until = Number.POSITIVE_INFINITY;
  if (busyFor === undefined || idleFor === undefined) return;
  const [busyMs, idleMs] = [durationOf(busyFor, work), durationOf(idleFor, work)];
  work.isBusy = work.draw() * (busyMs + idleMs) < busyMs;
  // The first period of a Pod is already partly over when the Pod becomes ready.
  work.until = ready + Math.max(1, Math.round((work.isBusy ? busyMs : idleMs) * work.draw()));
}

function turn(work: PodWork): void {
  work.isBusy = !work.isBusy;
  work.since = work.until;
  const { busyFor = "0", idleFor = "0" } = work.entry;
  work.until += Math.max(1, durationOf(work.isBusy ? busyFor : idleFor, work));
}

function durationOf(text: string, { draw }: PodWork): number {
  const read = durationSetting(text, draw);
  return "value" in read ? read.value : 0;
}

function chanceOf({ share }: WorkDocument): number {
  return share === undefined ? 1 : shareIn(share);
}

function drawTasks(tasks: number | string, random: Random): number {
  const [low = 1, high = low] = String(tasks).split("..").map(Number);
  return low + randomInt(random, Math.max(1, high - low + 1));
}

function selectionIn(selector: string): LabelSelection {
  const parsed = parseLabelSelector(selector);
  return parsed.ok ? parsed.selection : nothing;
}
