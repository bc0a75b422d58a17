import type { WatchEvent } from "../../src/machinery/client/client.ts";
import type { ActionResult, ClusterFacts } from "../../src/page/contract.ts";
import type { PageConnector } from "../live/page-connector.ts";
import { type DecisionRecords, mostPlacements } from "../live/page-requests.ts";
import { eventUnpacker, type PackedEvent, type PackedList, unpackItems } from "./packed-objects.ts";
import type { WorkerLink } from "./worker-link.ts";

/** Time may pass a hundred times faster than the reader's: what the page says of it has to be new. */
const factsMs = 250;

/** Reaches the cluster in a worker, as `fetchConnector` does one behind a server. */
export function workerConnector(link: WorkerLink): PageConnector {
  const placements = async (query: Readonly<Record<string, string>>) => {
    const answer = await link.ask<Pick<DecisionRecords, "placements">>({
      ask: "debug",
      path: "/debug/placements",
      query,
    });
    return answer.placements;
  };
  return {
    factsMs,
    playgroundAddress: location.href.split("#")[0] ?? "",
    requests: {
      facts: () => link.ask<ClusterFacts>({ ask: "facts" }),
      decisions: () => link.ask({ ask: "debug", path: "/debug/decisions", query: {} }),
      placements: () => placements({ nodes: "none", limit: String(mostPlacements) }),
      placement: async (namespace, name) => (await placements({ namespace, name }))[0],
      act: (action) => link.ask<ActionResult>({ ask: "act", action }),
    },
    client: () => ({
      cut: () => undefined,
      async list(resource, query, signal) {
        const { items, ...rest } = await link.ask<PackedList>({ ask: "list", resource, query }, { signal });
        return { ...rest, items: unpackItems(items) as readonly never[] };
      },
      async *watch(resource, query, signal) {
        const unpack = eventUnpacker();
        const ask = (parts: (parts: readonly unknown[]) => void) =>
          link.ask({ ask: "watch", resource, query }, { parts, signal });
        for await (const event of partsOf<PackedEvent>(ask)) yield unpack(event) as WatchEvent<never>;
      },
    }),
  };
}

/** Yields the parts of an answer as they come, until it has ended. */
async function* partsOf<T>(
  ask: (parts: (parts: readonly unknown[]) => void) => Promise<unknown>,
): AsyncGenerator<T, void, undefined> {
  const waiting: T[] = [];
  let wake: () => void = () => undefined;
  const progress: { ended?: { readonly error?: unknown } } = {};
  const end = (ended: { readonly error?: unknown }) => {
    progress.ended = ended;
    wake();
  };
  ask((parts) => {
    waiting.push(...(parts as readonly T[]));
    wake();
  }).then(
    () => end({}),
    (error: unknown) => end({ error }),
  );
  for (;;) {
    const next = waiting.shift();
    if (next !== undefined) yield next;
    else if (progress.ended === undefined) await new Promise<void>((resolve) => (wake = resolve));
    else if ("error" in progress.ended) throw progress.ended.error;
    else return;
  }
}
