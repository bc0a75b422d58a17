import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import type { Event, Pod } from "../../src/api/generated/core-v1.ts";
import { events } from "../../src/api/resources.ts";
import { messageOf } from "../../src/api/message-of.ts";
import { browserClock } from "../live/browser-clock.ts";
import { type DecisionRecords, mostPlacements } from "../live/page-requests.ts";
import {
  decidedWorkloads,
  decisionEntries,
  type DecisionFilter,
  decisionKinds,
  searchEntries,
} from "../model/decision-entries.ts";
import { disruptionOf } from "../model/pod-end.ts";
import type { PageStore } from "../page-store.ts";
import { Entry } from "./decision-entry.tsx";
import { decisionsHref } from "./route.ts";
import { useFrames } from "./use-store.ts";

const mostListed = 100;
const askEveryMs = 2000;
const askEventsEveryMs = 5000;

export interface DecisionsProps {
  readonly filter: DecisionFilter;
  /** The id of the decision that is open as the address says. */
  readonly chosen: string;
}

/** The records of decisions, searched and opened one by one. */
export function DecisionsView({ filter, chosen }: DecisionsProps): JSX.Element {
  const store = useFrames(1000);
  const { facts } = store;
  return (
    <div class="view">
      {facts !== undefined && !facts.records.includes("decisions") ? (
        <>
          <h1>Decisions</h1>
          <p class="empty">
            This cluster keeps no records of decisions. The timeline shows those that can be seen from its
            objects: Pods that got a node, Pods that are removed, revisions that change their size.
          </p>
        </>
      ) : (
        <Records {...{ store, filter, chosen }} />
      )}
    </div>
  );
}

interface RecordsProps extends DecisionsProps {
  readonly store: PageStore;
}

function Records({ store, filter, chosen }: RecordsProps): JSX.Element {
  const { records, problem } = useRecords(store);
  const rescaled = useRescales(store);
  const disrupted = disruptedPods(store);
  const entries = useMemo(
    () => decisionEntries(records, { disrupted, rescaled }),
    [records, rescaled, disrupted.length],
  );
  const found = useMemo(() => searchEntries(entries, filter), [entries, filter]);
  return (
    <>
      <div class="title">
        <h1>Decisions</h1>
        <Filter filter={filter} workloads={decidedWorkloads(entries)} />
        <span class="quiet" role="status">
          {found.length} of {entries.length}
        </span>
      </div>
      {problem !== undefined && <p class="notice bad">{problem}</p>}
      {found.length === 0 && problem === undefined && <Nothing filter={filter} others={entries.length} />}
      <ol class="decisions">
        {found.slice(0, mostListed).map((entry) => (
          <Entry
            key={entry.id}
            entry={entry}
            isChosen={entry.id === chosen}
            choose={(id) => location.replace(decisionsHref(filter, id))}
          />
        ))}
      </ol>
      {found.length > mostListed && (
        <p class="quiet">and {found.length - mostListed} more: search for them</p>
      )}
      {records.placements.length === mostPlacements && (
        <p class="quiet">
          Of the placements the latest {mostPlacements} are listed; the view of a Pod has its own.
        </p>
      )}
    </>
  );
}

function Nothing({
  filter,
  others,
}: {
  readonly filter: DecisionFilter;
  readonly others: number;
}): JSX.Element {
  if (others === 0) return <p class="empty">No decision has been recorded yet.</p>;
  const isUnsearched = filter.of === "" && filter.search === "";
  const what =
    filter.kind === "removal" && isUnsearched ? "No Pod was removed by a decision yet" : "Nothing found";
  const all = decisionsHref({ ...filter, kind: "" });
  return (
    <p class="empty">
      {what}. <a href={all}>Look through all decisions</a>
    </p>
  );
}

/** The address says what is listed, so that it can be sent to others; it is replaced, not added to the history. */
function Filter({
  filter,
  workloads,
}: {
  readonly filter: DecisionFilter;
  readonly workloads: readonly string[];
}): JSX.Element {
  const change = (changed: Partial<DecisionFilter>) =>
    location.replace(decisionsHref({ ...filter, ...changed }));
  return (
    <>
      <input
        type="search"
        aria-label="Search decisions"
        placeholder="workload, Pod, rule, node"
        value={filter.search}
        onInput={({ currentTarget }) => change({ search: currentTarget.value })}
      />
      <select
        aria-label="Kind of decision"
        value={filter.kind}
        onChange={({ currentTarget }) =>
          change({ kind: decisionKinds.find((each) => each === currentTarget.value) ?? "" })
        }
      >
        <option value="">all decisions</option>
        {decisionKinds.map((each) => (
          <option key={each} value={each}>
            {each}s
          </option>
        ))}
      </select>
      <select
        aria-label="Workload"
        value={filter.of}
        onChange={({ currentTarget }) => change({ of: currentTarget.value })}
      >
        <option value="">all workloads</option>
        {[...new Set([...workloads, ...(filter.of === "" ? [] : [filter.of])])].map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </>
  );
}

/** The Pods that were disrupted, those that are gone included. */
function disruptedPods({ live, log }: PageStore): readonly Pod[] {
  const byUid = new Map<string, Pod>();
  const seen = [
    ...log.changes.flatMap(({ kind, after }) =>
      kind === "pods" && after !== undefined ? [after as Pod] : [],
    ),
    ...live.collections.pods.values(),
  ];
  for (const pod of seen) if (disruptionOf(pod) !== undefined) byUid.set(pod.metadata.uid, pod);
  return [...byUid.values()];
}

/** The steps of autoscalers, which are Events; none where they cannot be read. */
function useRescales(store: PageStore): readonly Event[] {
  const [found, setFound] = useState<readonly Event[]>([]);
  useEffect(() => {
    const ended = new AbortController();
    const follow = async () => {
      while (!ended.signal.aborted) {
        await store
          .list(events, { namespace: store.facts?.namespace, fieldSelector: "reason=SuccessfulRescale" })
          .then(setFound, () => undefined); // what cannot be read is not there
        await browserClock.sleep(askEventsEveryMs, ended.signal).catch(() => undefined); // only the abort ends it early
      }
    };
    void follow();
    return () => ended.abort();
  }, [store]);
  return found;
}

const none: DecisionRecords = { removals: [], rollouts: [], placements: [] };

const hasPlacements = ({ facts }: PageStore) => facts?.records.includes("placements") === true;

async function askForRecords(store: PageStore): Promise<DecisionRecords> {
  const { requests } = store;
  const [decisions, placements] = await Promise.all([
    requests.decisions(),
    hasPlacements(store) ? requests.placements() : [],
  ]);
  return { ...decisions, placements };
}

/** The records, asked for again while something changes in the cluster, or nothing was answered. */
function useRecords(store: PageStore): {
  readonly records: DecisionRecords;
  readonly problem: string | undefined;
} {
  const [records, setRecords] = useState(none);
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    const ended = new AbortController();
    const follow = async () => {
      let seen = "";
      while (!ended.signal.aborted) {
        const state = `${store.live.version} ${hasPlacements(store)}`;
        if (seen !== state) {
          seen = await askForRecords(store).then(
            (answer) => (setRecords(answer), setProblem(undefined), state),
            (error: unknown) => (setProblem(messageOf(error)), ""),
          );
        }
        await browserClock.sleep(askEveryMs, ended.signal).catch(() => undefined); // only the abort ends it early
      }
    };
    void follow();
    return () => ended.abort();
  }, [store]);
  return { records, problem };
}
