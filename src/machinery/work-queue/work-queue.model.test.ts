import * as fc from "fast-check";
import { expect, test } from "vitest";
import { VirtualClock } from "../clock/virtual-clock.ts";
import { DelayingQueue } from "./delaying-queue.ts";

/** The obvious queue: lists and searching. */
interface Model {
  now: number;
  line: string[];
  processing: string[];
  /** Came while being worked on. */
  again: string[];
  delayed: { key: string; at: number }[];
  idle: number;
  handedOut: string[];
}

interface Real {
  readonly clock: VirtualClock;
  readonly queue: DelayingQueue;
  readonly handedOut: string[];
}

function settle(model: Model): void {
  while (model.idle > 0 && model.line.length > 0) {
    const key = model.line.shift() ?? "";
    model.idle--;
    model.processing.push(key);
    model.handedOut.push(key);
  }
}

function add(model: Model, key: string): void {
  if (model.line.includes(key) || model.again.includes(key)) return;
  if (model.processing.includes(key)) model.again.push(key);
  else model.line.push(key);
  settle(model);
}

type Act = (model: Model, real: Real) => void | Promise<void>;

/** A command that acts on both and finds them alike. */
class Command implements fc.AsyncCommand<Model, Real> {
  readonly #name: string;
  readonly #act: Act;

  constructor(name: string, act: Act) {
    this.#name = name;
    this.#act = act;
  }

  check(): boolean {
    return true;
  }

  async run(model: Model, real: Real): Promise<void> {
    await this.#act(model, real);
    await real.clock.settle();
    expect(real.handedOut).toEqual(model.handedOut);
    expect(real.queue.length).toBe(model.line.length);
  }

  toString(): string {
    return this.#name;
  }
}

const key = fc.constantFrom("a", "b", "c", "d");

const commands = [
  key.map(
    (key) =>
      new Command(`add ${key}`, (model, { queue }) => {
        queue.add(key);
        add(model, key);
      }),
  ),
  fc.tuple(key, fc.integer({ min: -1, max: 20 })).map(
    ([key, delayMs]) =>
      new Command(`add ${key} after ${delayMs}`, (model, { queue }) => {
        queue.addAfter(key, delayMs);
        if (delayMs <= 0) add(model, key);
        else model.delayed.push({ key, at: model.now + delayMs });
      }),
  ),
  fc.constant(
    new Command("take", (model, { queue, handedOut }) => {
      void queue.take().then((key) => handedOut.push(key ?? ""));
      model.idle++;
      settle(model);
    }),
  ),
  key.map(
    (key) =>
      new Command(`done ${key}`, (model, { queue }) => {
        queue.done(key);
        if (!model.processing.includes(key)) return;
        model.processing = model.processing.filter((other) => other !== key);
        if (!model.again.includes(key)) return;
        model.again = model.again.filter((other) => other !== key);
        add(model, key);
      }),
  ),
  fc.integer({ min: 1, max: 10 }).map(
    (durationMs) =>
      new Command(`wait ${durationMs}`, async (model, { clock }) => {
        await clock.advance(durationMs);
        for (let at = model.now + 1; at <= model.now + durationMs; at++) wake(model, at);
        model.now += durationMs;
      }),
  ),
];

function wake(model: Model, at: number): void {
  for (const { key } of model.delayed.filter((entry) => entry.at === at)) {
    // Of several delays of a key the earliest counts, and it uses up the others.
    if (!model.delayed.some((entry) => entry.key === key)) continue;
    model.delayed = model.delayed.filter((entry) => entry.key !== key);
    add(model, key);
  }
}

test("whatever is done to it, the queue does what the obvious queue does", async () => {
  await fc.assert(
    fc.asyncProperty(fc.commands(commands, { maxCommands: 60, size: "max" }), async (commands) => {
      await fc.asyncModelRun(() => {
        const clock = new VirtualClock(0);
        const model = { now: 0, line: [], processing: [], again: [], delayed: [], idle: 0, handedOut: [] };
        return { model, real: { clock, queue: new DelayingQueue({ clock }), handedOut: [] } };
      }, commands);
    }),
  );
});
