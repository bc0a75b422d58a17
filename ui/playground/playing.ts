import { messageOf } from "../../src/api/message-of.ts";
import { browserClock } from "../live/browser-clock.ts";
import { PageStore } from "../page-store.ts";
import { workerAddress } from "virtual:worker-address";
import type { Play, TimeChange, TimeState } from "./messages.ts";
import { workerConnector } from "./worker-connector.ts";
import { WorkerLink } from "./worker-link.ts";

/** A play that is on: its cluster in a worker, and the store of the page that watches it. */
export interface Playing {
  readonly play: Play;
  readonly link: WorkerLink;
  readonly store: PageStore;
  readonly end: () => void;
}

/** Starts a play in a worker of its own; rejects with what is wrong with its scenario. */
export async function startPlaying(play: Play): Promise<Playing> {
  const worker = new Worker(workerAddress, { type: "module" });
  const link = new WorkerLink(worker);
  try {
    await link.ask({ ask: "start", play });
  } catch (error) {
    worker.terminate();
    throw new Error(messageOf(error), { cause: error });
  }
  const ended = new AbortController();
  const store = new PageStore({
    connector: workerConnector(link),
    clock: browserClock,
    onNextFrame: (task) => void requestAnimationFrame(task),
  });
  void store.run(ended.signal);
  return {
    play,
    link,
    store,
    end() {
      ended.abort(new Error("another play has begun"));
      worker.terminate();
    },
  };
}

/** Follows how time passes until the signal aborts. */
export function followTime(link: WorkerLink, changed: (state: TimeState) => void, signal: AbortSignal): void {
  const parts = (states: readonly unknown[]) => changed(states.at(-1) as TimeState);
  // It ends with the worker, or when the page stops following.
  link.ask({ ask: "follow-time" }, { parts, signal }).catch(() => undefined);
}

export const changeTime = (link: WorkerLink, change: TimeChange): Promise<TimeState> =>
  link.ask<TimeState>({ ask: "time", change });
