/** Permission to keep a stream open, until it is released. */
export interface StreamSlot {
  /** Aborts when another tab needs the slot more. */
  readonly taken: AbortSignal;
  readonly release: () => void;
}

/** Shares the few connections that a browser opens to one server between the tabs of the page. */
export interface StreamSlots {
  /** Resolves to a slot; `waits` is called when there is none at once. */
  readonly take: (signal: AbortSignal, waits: () => void) => Promise<StreamSlot>;
}

/** Slots for a tab that need not share its connections. */
export const unshared: StreamSlots = {
  take: async () => ({ taken: new AbortController().signal, release: () => undefined }),
};

/** A browser opens six connections to a server: two are left for requests. */
const slotCount = 4;

export interface BrowserSlotsOptions {
  readonly locks: Pick<LockManager, "request">;
  /** The channel on which the tabs of the page talk to each other. */
  readonly channel: Pick<BroadcastChannel, "postMessage" | "addEventListener" | "removeEventListener">;
  readonly document: Pick<Document, "visibilityState" | "addEventListener" | "removeEventListener">;
}

/** Messages between tabs: a visible tab waits for a slot, or a hidden tab has one. */
type TabMessage = "wanted" | "hidden";

/**
 * Implements slots as Web Locks, which the browser releases when a tab ends. A hidden tab gives up its slot when a visible tab
 * waits for one; while there are enough slots, hidden tabs keep theirs.
 */
export function browserSlots(options: BrowserSlotsOptions): StreamSlots {
  const tabs = new Tabs(options);
  return {
    async take(signal, waits) {
      const first = new FirstLock(options.locks, signal);
      const free = await first.ifAvailable();
      if (free !== undefined) return slotOf(free, tabs);
      waits();
      const ask = () => void (tabs.isHidden || tabs.tell("wanted"));
      const stops = [tabs.onTold("hidden", ask), tabs.onShownOrHidden(ask)];
      try {
        const granted = first.wait();
        ask();
        return slotOf(await granted, tabs);
      } finally {
        for (const stop of stops) stop();
      }
    },
  };
}

function slotOf(release: () => void, tabs: Tabs): StreamSlot {
  const taken = new AbortController();
  const offer = () => void (tabs.isHidden && tabs.tell("hidden"));
  const give = () =>
    void (tabs.isHidden && taken.abort(new Error("another tab of the page needs its connection")));
  const stops = [tabs.onTold("wanted", give), tabs.onShownOrHidden(offer)];
  offer();
  return {
    taken: taken.signal,
    release() {
      for (const stop of stops) stop();
      release();
    },
  };
}

/** This tab and the others. */
class Tabs {
  readonly #options: BrowserSlotsOptions;

  constructor(options: BrowserSlotsOptions) {
    this.#options = options;
  }

  get isHidden(): boolean {
    return this.#options.document.visibilityState === "hidden";
  }

  tell(message: TabMessage): void {
    this.#options.channel.postMessage(message);
  }

  onTold(message: TabMessage, listener: () => void): () => void {
    const { channel } = this.#options;
    const heard = ({ data }: MessageEvent) => void (data === message && listener());
    channel.addEventListener("message", heard);
    return () => channel.removeEventListener("message", heard);
  }

  onShownOrHidden(listener: () => void): () => void {
    const { document } = this.#options;
    document.addEventListener("visibilitychange", listener);
    return () => document.removeEventListener("visibilitychange", listener);
  }
}

const lockNames = Array.from({ length: slotCount }, (_, index) => `trimtab-stream-${index}`);

/** Takes one of several locks, whichever is free first. */
class FirstLock {
  readonly #locks: BrowserSlotsOptions["locks"];
  readonly #signal: AbortSignal;

  constructor(locks: BrowserSlotsOptions["locks"], signal: AbortSignal) {
    this.#locks = locks;
    this.#signal = signal;
  }

  /** The release of a lock that is free now. */
  async ifAvailable(): Promise<(() => void) | undefined> {
    for (const name of lockNames) {
      const release = await new Promise<(() => void) | undefined>((resolve, reject) => {
        this.#locks
          .request(name, { ifAvailable: true }, (lock) => {
            if (lock === null) return resolve(undefined);
            return new Promise<void>((free) => resolve(() => free()));
          })
          .catch(reject); // hands an error of the browser to the caller
      });
      if (release !== undefined) return release;
    }
    return undefined;
  }

  /** The release of the lock that is granted first. */
  wait(): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const others = new AbortController();
      const signal = AbortSignal.any([this.#signal, others.signal]);
      const granted = () => {
        // A second one may be granted before its request is withdrawn.
        if (others.signal.aborted) return undefined;
        others.abort();
        return new Promise<void>((free) => resolve(() => free()));
      };
      for (const name of lockNames)
        this.#locks.request(name, { signal }, granted).catch((error: unknown) => {
          // Otherwise it was withdrawn, since another one was granted.
          if (!others.signal.aborted) reject(error);
        });
    });
  }
}
