import { type Clock, elapsedMs } from "../../src/machinery/clock/clock.ts";
import { type Random, randomInt } from "../../src/machinery/random/random.ts";
import { listObjects, Writer } from "./clients.ts";
import { HistoryChecker } from "./history-checker.ts";
import type { Violation } from "./history.ts";
import { RealMachine, type RealMachineOptions, type RealServer } from "./real-server.ts";
import { Watcher } from "./watcher.ts";

/** How many processes to kill, and how long that may take. */
export interface KillOptions extends RealMachineOptions {
  readonly kills: number;
  readonly seconds: number;
  readonly random: Random;
  /** Called after each kill. */
  readonly killed?: (report: KillReport) => void;
}

/** What came of the kills. */
export interface KillReport {
  readonly kills: number;
  /** Answered requests, among them acknowledged writes. */
  readonly answered: number;
  readonly acknowledged: number;
  /** Writes that were under way when the process was killed. */
  readonly unanswered: number;
  readonly events: number;
  readonly relists: number;
  readonly violation: Violation | undefined;
}

const keys = Array.from({ length: 6 }, (_, index) => `object-${index}`);
const writerCount = 6;

/** Kills processes while clients read, write and watch, and checks what the clients saw, until a promise is broken. */
export async function runKills(options: KillOptions): Promise<KillReport> {
  const { clock, random, kills, seconds } = options;
  const until = elapsedMs(clock) + seconds * 1000;
  const machine = new RealMachine(options);
  const checker = new HistoryChecker();
  const writers = Array.from({ length: writerCount }, (_, index) => {
    const name = `writer-${index}`;
    return new Writer({ name, keys, clock, random: random.fork(name), pauseMs: 2 });
  });
  const watchers = [new Watcher("watcher-0", clock), new Watcher("watcher-1", clock)];
  let report: KillReport = {
    kills: 0,
    answered: 0,
    acknowledged: 0,
    unanswered: 0,
    events: 0,
    relists: 0,
    violation: undefined,
  };
  try {
    while (report.kills < kills && elapsedMs(clock) < until && report.violation === undefined) {
      const server = await machine.start();
      const listing = await listObjects(server);
      server.history.recordListing("restart", listing, keys);
      const violation = checker.checkStart(listing);
      const clients = [...writers, ...watchers].map((client) => client.run(server));
      // Every second process is killed while it may not have answered a write yet, as on a busy machine.
      if (report.kills % 2 === 0) await firstWrite(server, clock, until);
      await clock.sleep(50 + randomInt(random, 150));
      await server.kill();
      await Promise.all(clients);
      const relists = watchers.reduce((sum, each) => sum + each.relists, 0);
      report = added(report, server, violation ?? checker.checkRun(server.history), relists);
      options.killed?.(report);
    }
  } finally {
    await machine.close();
  }
  return report;
}

/** Waits until a write was acknowledged, or for as long as the kills may take. */
async function firstWrite({ history }: RealServer, clock: Clock, until: number): Promise<void> {
  while (!history.operations.some(({ answer }) => answer.kind === "done") && elapsedMs(clock) < until)
    await clock.sleep(5);
}

function added(
  report: KillReport,
  { history: { operations, segments } }: RealServer,
  violation: Violation | undefined,
  relists: number,
): KillReport {
  const count = (kind: string) => operations.filter(({ answer }) => answer.kind === kind).length;
  const unanswered = count("unknown");
  return {
    kills: report.kills + 1,
    answered: report.answered + operations.length - unanswered,
    acknowledged: report.acknowledged + count("done"),
    unanswered: report.unanswered + unanswered,
    events: report.events + segments.reduce((sum, { revisions }) => sum + revisions.length, 0),
    relists,
    violation,
  };
}
