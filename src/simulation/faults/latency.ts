import type { Interceptor } from "../../machinery/client/intercept-client.ts";
import type { Clock } from "../../machinery/clock/clock.ts";
import { type Random, randomInt } from "../../machinery/random/random.ts";

/** Delays requests, responses and watch events between a component and the API by up to `longestMs`, in order. */
export function latency(clock: Clock, random: Random, longestMs: () => number): Interceptor {
  const delay = async () => {
    if (longestMs() > 0) await clock.sleep(randomInt(random, longestMs()));
  };
  return {
    async call(_call, send) {
      await delay();
      const answer = await send();
      await delay();
      return answer;
    },
    async *watch(_call, { open }) {
      for await (const event of open()) {
        await delay();
        yield event;
      }
    },
  };
}
