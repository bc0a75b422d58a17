import { useEffect, useState } from "preact/hooks";
import { messageOf } from "../../src/api/message-of.ts";
import type { ScaledObjects } from "../../src/page/contract.ts";
import { browserClock } from "../live/browser-clock.ts";
import { useStore } from "./use-store.ts";

const askEveryMs = 5000;

/** The objects of custom kinds with a scale, asked for while a view shows them; `undefined` until they are there. */
export function useScaledObjects(): ScaledObjects | undefined {
  const { requests } = useStore();
  const [found, setFound] = useState<ScaledObjects>();
  useEffect(() => {
    const ended = new AbortController();
    const follow = async () => {
      const none: ScaledObjects = { objects: [], problems: [] };
      while (!ended.signal.aborted) {
        const answer = await (requests.scaledObjects?.() ?? Promise.resolve(none)).catch(
          (error: unknown): ScaledObjects => ({ objects: [], problems: [messageOf(error)] }),
        );
        if (!ended.signal.aborted) setFound(answer);
        await browserClock.sleep(askEveryMs, ended.signal).catch(() => undefined); // only the abort ends it early
      }
    };
    void follow();
    return () => ended.abort();
  }, [requests]);
  return found;
}
