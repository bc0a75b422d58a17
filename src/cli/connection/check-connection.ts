import { messageOf } from "../../api/message-of.ts";
import type { Resource } from "../../api/resource.ts";
import type { Client } from "../../machinery/client/client.ts";
import type { Clock } from "../../machinery/clock/clock.ts";

const timeoutMs = 10_000;

/** Returns why the API server cannot be used, if so: a mistyped flag is an error rather than a line in a log. */
export async function checkConnection(
  client: Client,
  { resource, clock }: { readonly resource: Resource; readonly clock: Clock },
  signal: AbortSignal,
): Promise<string | undefined> {
  const timeout = new AbortController();
  const noResponse = new Error(`no answer for ${timeoutMs / 1000} s`);
  const timer = clock.after(timeoutMs, () => timeout.abort(noResponse));
  try {
    await client.list(resource, { limit: 1 }, AbortSignal.any([signal, timeout.signal]));
    return undefined;
  } catch (error) {
    if (signal.aborted) return undefined;
    return timeout.signal.aborted ? noResponse.message : messageOf(error);
  } finally {
    timer.cancel();
  }
}
