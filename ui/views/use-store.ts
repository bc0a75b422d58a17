import { createContext } from "preact";
import { useContext, useEffect, useReducer } from "preact/hooks";
import { browserClock } from "../live/browser-clock.ts";
import type { PageStore } from "../page-store.ts";

export const StoreContext = createContext<PageStore | undefined>(undefined);

/** Returns the store of the page without rendering again when it changes. */
export function useStore(): PageStore {
  const store = useContext(StoreContext);
  if (store === undefined) throw new Error("the view is not inside of a StoreContext");
  return store;
}

/**
 * The store, and a new rendering after every frame in which something changed; with an interval at most so often, for views
 * that compute much.
 */
export function useFrames(leastMs = 0): PageStore {
  const store = useStore();
  const [, render] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    let renderedAt = -Infinity;
    let late: { cancel(): void } | undefined;
    const draw = () => {
      renderedAt = browserClock.elapsed();
      late = undefined;
      render(undefined);
    };
    const unsubscribe = store.subscribe(() => {
      const waitMs = renderedAt + leastMs - browserClock.elapsed();
      if (waitMs <= 0) draw();
      else late ??= browserClock.after(waitMs, draw);
    });
    return () => {
      late?.cancel();
      unsubscribe();
    };
  }, [store, leastMs]);
  return store;
}
