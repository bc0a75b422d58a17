import type { JsonObject } from "../../api/json.ts";
import { messageOf } from "../../api/message-of.ts";
import { isNotFound } from "../../machinery/client/api-error.ts";
import type { Connection } from "../../machinery/client/connection/connection.ts";
import { HttpsClient } from "../../machinery/client/http/https-client.ts";
import { WallClock } from "../../machinery/clock/wall-clock.ts";

/** The time of a cluster, as `/debug/time` tells it. */
interface ClusterTime {
  readonly time: string;
  readonly speed: number;
  readonly paused: boolean;
  readonly ahead: string;
}

export type AskedTime =
  | { readonly ok: true; readonly time: ClusterTime }
  | { readonly ok: false; readonly problem: string };

/** Long enough for a step over hours, which takes as long as the components need to work through them. */
const timeoutMs = 600_000;

/** Reads the time of a cluster, after the action if there is one, such as `step?duration=30s`. */
export async function askForTime(
  connection: Connection,
  signal: AbortSignal,
  action?: string,
): Promise<AskedTime> {
  const client = new HttpsClient({ connection, clock: new WallClock() });
  try {
    const answer =
      action === undefined
        ? await client.requestPath("GET", "/debug/time", { signal })
        : await client.requestPath("POST", `/debug/time/${action}`, { signal, timeoutMs });
    return isAdjustable(answer)
      ? { ok: true, time: answer }
      : { ok: false, problem: "its time is simulated" };
  } catch (error) {
    const isElsewhere = isNotFound(error);
    const why = isElsewhere ? `${connection.server} is not a cluster of trimtab up` : messageOf(error);
    return { ok: false, problem: why };
  } finally {
    await client.close();
  }
}

function isAdjustable(answer: JsonObject): answer is JsonObject & ClusterTime {
  const { time, speed, paused, ahead } = answer;
  return [typeof time, typeof speed, typeof paused, typeof ahead].join() === "string,number,boolean,string";
}

/** `2026-11-16T03:10:00Z, 10 times as fast as the wall clock, 4m30s ahead of it`. */
export function describeTime({ time, speed, paused, ahead }: ClusterTime): string {
  const pace = speed === 1 ? "as fast as the wall clock" : `${speed} times as fast as the wall clock`;
  const offset = ahead.startsWith("-") ? `${ahead.slice(1)} behind it` : `${ahead} ahead of it`;
  const second = time.replace(/\.\d+Z$/, "Z");
  return [second, paused ? `paused (${pace} otherwise)` : pace, ...(ahead === "0s" ? [] : [offset])].join(
    ", ",
  );
}
