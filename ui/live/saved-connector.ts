import type { StoredObject } from "../../src/api/object.ts";
import type { Resource } from "../../src/api/resource.ts";
import { formatMicroTime } from "../../src/api/time.ts";
import { clusterResources, collectionNames } from "../../src/decisions/explain/cluster-objects.ts";
import type { WatchEvent } from "../../src/machinery/client/client.ts";
import type { ClusterFacts } from "../../src/page/contract.ts";
import { controllersIn, type Snapshot } from "../../src/simulation/snapshot/snapshot.ts";
import type { PageConnector } from "./page-connector.ts";

/** The revision of everything in a saved moment: nothing changes in it. */
const resourceVersion = "1";

/** Shows a saved moment in place of a cluster: what is not in its file, such as events and records, is not there. */
export function savedConnector(snapshot: Snapshot, settings: ClusterFacts): PageConnector {
  const facts = savedFacts(snapshot, settings);
  const refused = (what: string) => () => Promise.reject(new Error(`A saved moment has no ${what}.`));
  return {
    requests: {
      facts: () => Promise.resolve(facts),
      decisions: () => Promise.resolve({ removals: [], rollouts: [] }),
      placements: () => Promise.resolve([]),
      placement: () => Promise.resolve(undefined),
      act: refused("cluster to change"),
    },
    client: () => ({
      cut: () => undefined,
      list: (resource) => Promise.resolve({ items: itemsOf(snapshot, resource), resourceVersion }),
      watch: (resource, { sendInitialEvents }, signal) =>
        initialEvents(sendInitialEvents === true ? itemsOf(snapshot, resource) : [], signal),
    }),
  };
}

/** The gates and schedulers are those of the cluster beside which it is opened: a snapshot has none. */
function savedFacts(snapshot: Snapshot, settings: ClusterFacts): ClusterFacts {
  const { namespace: _, asksPickers: __, ...others } = settings;
  const isStock = controllersIn(snapshot) === "stock";
  return {
    ...others,
    mode: "other",
    name: "saved moment",
    writes: false,
    records: [],
    removalProfile: isStock ? "kubernetes-1.36" : "trimtab",
    time: { now: formatMicroTime(snapshot.takenAt), speed: 1, paused: true },
    ...(snapshot.namespace !== undefined && { namespace: snapshot.namespace }),
  };
}

function itemsOf<T extends StoredObject>({ objects }: Snapshot, resource: Resource<T>): readonly T[] {
  const name = collectionNames.find((each) => {
    const { group, plural }: Resource = clusterResources[each];
    return group === resource.group && plural === resource.plural;
  });
  // The collection of a resource holds objects of its type.
  return name === undefined ? [] : (objects[name] as readonly unknown[] as readonly T[]);
}

async function* initialEvents<T extends StoredObject>(
  objects: readonly T[],
  signal: AbortSignal | undefined,
): AsyncGenerator<WatchEvent<T>> {
  for (const object of objects) yield { type: "ADDED", object };
  yield { type: "BOOKMARK", resourceVersion, initialEventsEnd: true };
  await new Promise<void>((resolve) => signal?.addEventListener("abort", () => resolve(), { once: true }));
}
