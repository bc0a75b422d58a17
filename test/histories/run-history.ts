import { VirtualClock } from "../../src/machinery/clock/virtual-clock.ts";
import { oneOf, type Random, randomInt, seededRandom } from "../../src/machinery/random/random.ts";
import { listObjects, Writer } from "./clients.ts";
import { HistoryChecker } from "./history-checker.ts";
import type { Violation } from "./history.ts";
import type { Content } from "./operation.ts";
import {
  type Ending,
  SimulatedMachine,
  type SimulatedServer,
  type StoreMutation,
  untilWritable,
} from "./simulated-machine.ts";
import { Watcher } from "./watcher.ts";

/** What came of one run of clients against servers that are killed. */
export interface HistoryResult {
  readonly violation: Violation | undefined;
  readonly operations: number;
  readonly unanswered: number;
  readonly events: number;
  readonly relists: number;
  readonly endings: readonly Ending[];
  readonly refusedStarts: number;
}

const processes = 6;
const keys = ["a", "b", "c", "d"];
const writerCount = 5;
const watcherCount = 2;

/** Lets clients read, write and watch while servers end in every way and the disk fails; the same for the same seed. */
export function runHistory(seed: string | number, mutation: StoreMutation = {}): Promise<HistoryResult> {
  const clock = new VirtualClock();
  return clock.runUntilSettled(new HistoryRun(seed, clock, mutation).run());
}

class HistoryRun {
  readonly #clock: VirtualClock;
  readonly #random: Random;
  readonly #machine: SimulatedMachine;
  readonly #writers: readonly Writer[];
  readonly #watchers: readonly Watcher[];
  readonly #checker = new HistoryChecker();
  readonly #endings: Ending[] = [];
  readonly #counts = { operations: 0, unanswered: 0, events: 0 };

  constructor(seed: string | number, clock: VirtualClock, mutation: StoreMutation) {
    this.#clock = clock;
    this.#random = seededRandom(`history ${seed}`);
    this.#machine = new SimulatedMachine(clock, this.#random.fork("machine"), mutation);
    this.#writers = Array.from({ length: writerCount }, (_, index) => {
      const name = `writer-${index}`;
      return new Writer({ name, keys, clock, random: this.#random.fork(name), pauseMs: 60 });
    });
    this.#watchers = Array.from(
      { length: watcherCount },
      (_, index) => new Watcher(`watcher-${index}`, clock),
    );
  }

  async run(): Promise<HistoryResult> {
    let violation: Violation | undefined;
    for (let process = 0; process < processes && violation === undefined; process++)
      violation = await this.#serve(process === processes - 1);
    return {
      violation,
      ...this.#counts,
      relists: this.#watchers.reduce((sum, { relists }) => sum + relists, 0),
      endings: this.#endings,
      refusedStarts: this.#machine.refusedStarts,
    };
  }

  async #serve(isLast: boolean): Promise<Violation | undefined> {
    this.#drawConditions(isLast);
    const server = await this.#machine.start();
    const listing = await listObjects(server);
    server.history.recordListing("restart", listing, keys);
    const problem = this.#checker.checkStart(listing);
    const progress = { isOver: false };
    const clients = [
      ...this.#writers.map((writer) => writer.run(server, () => progress.isOver)),
      ...this.#watchers.map((watcher) => watcher.run(server)),
    ];
    if (isLast) await this.#finish(server, progress);
    else await Promise.race([this.#endOf(server), this.#failDisk(server)]);
    await Promise.all(clients);
    const { operations, segments } = server.history;
    this.#counts.operations += operations.length;
    this.#counts.unanswered += operations.filter(({ answer }) => answer.kind === "unknown").length;
    this.#counts.events += segments.reduce((sum, { revisions }) => sum + revisions.length, 0);
    return problem ?? this.#checker.checkRun(server.history);
  }

  #drawConditions(isLast: boolean): void {
    const { conditions } = this.#machine;
    const random = this.#random;
    conditions.state = "good";
    conditions.flushMs = 1 + randomInt(random, 30);
    conditions.lateRate = isLast ? 0 : (oneOf([0, 0, 0.02], random) ?? 0);
    conditions.errorRate = isLast ? 0 : (oneOf([0, 0, 0.01, 0.05], random) ?? 0);
  }

  /** Ends the process at some instant, or at some call of its disk. */
  async #endOf(server: SimulatedServer): Promise<void> {
    const random = this.#random;
    const how = oneOf<Ending>(["power", "power", "kill", "stop"], random) ?? "power";
    this.#endings.push(how);
    if (how !== "stop" && random.next() < 0.7)
      server.atDiskCall(1 + randomInt(random, 60), () => void server.end(how));
    await this.#clock.sleep(300 + random.next() * 3000, server.ended).catch(() => {});
    await server.end(how);
  }

  /** The disk is full or broken for a while, once or more. */
  async #failDisk(server: SimulatedServer): Promise<never> {
    const { conditions } = this.#machine;
    const random = this.#random.fork("disk");
    for (;;) {
      await this.#clock.sleep(random.next() * 3000, server.ended).catch(() => {});
      if (server.ended.aborted) return new Promise<never>(() => {});
      conditions.state = oneOf(["full", "broken"] as const, random) ?? "full";
      await this.#clock.sleep(random.next() * 2000, server.ended).catch(() => {});
      conditions.state = "good";
    }
  }

  /** Lets all requests be answered and all events be delivered; then every view is what a list shows. */
  async #finish(server: SimulatedServer, progress: { isOver: boolean }): Promise<void> {
    await this.#clock.sleep(1000);
    await untilWritable(server, this.#clock);
    progress.isOver = true;
    await this.#clock.sleep(5000);
    const { objects } = await listObjects(server);
    const held = textOf(new Map([...objects].map(([key, { content }]) => [key, content])));
    for (const watcher of this.#watchers) {
      const view = textOf(watcher.view());
      if (view !== held)
        server.history.violated("views are true", `${watcher.name} sees ${view}, a list shows ${held}`);
    }
    await server.end("stop");
  }
}

function textOf(contents: ReadonlyMap<string, Content>): string {
  return keys.map((key) => `${key} = ${contents.get(key) ?? "nothing"}`).join(", ");
}
