import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { formatDuration } from "../../src/api/duration.ts";
import { measureText } from "../../src/simulation/scenario-comparison/measure-text.ts";
import type { RemovedPodResult } from "../../src/simulation/scenario-run/scenario-result.ts";
import { CardTable } from "./cells.tsx";

/** Limits the rows at first, and how many each press of the button adds: a long run has tens of thousands. */
const rowsAtOnce = 100;

const heads = ["time", "Pod", "zone", "busy", "work lost", "by", "why"];

/** How many Pods were removed by one component for one reason. */
interface RemovalGroup {
  readonly by: string;
  readonly reason: string;
  readonly count: number;
}

const mostGroups = 12;

/** The Pods that were removed, by which component, and why: folded by reason, and each Pod where it is asked for. */
export function RemovedPodsTable({
  removed,
}: {
  readonly removed: readonly RemovedPodResult[];
}): JSX.Element {
  const [shown, setShown] = useState(rowsAtOnce);
  const [isBusyOnly, setBusyOnly] = useState(false);
  const [search, setSearch] = useState("");
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const listed = removed.filter((each) => (!isBusyOnly || each.isBusy) && hasWords(each, words));
  const busy = removed.filter(({ isBusy }) => isBusy).length;
  const groups = groupsOf(removed);
  return (
    <>
      <h3>
        Removed Pods: {removed.length}, {busy} of them while busy
      </h3>
      {removed.length > 0 && (
        <ul class="groups">
          {groups.slice(0, mostGroups).map(({ by, reason, count }) => (
            <li key={`${by} ${reason}`}>
              <b>{count}</b> by {by}: {reason}
            </li>
          ))}
          {groups.length > mostGroups && <li class="quiet">and {groups.length - mostGroups} more reasons</li>}
        </ul>
      )}
      {removed.length > 0 && (
        <details class="each-removed">
          <summary>Each Pod</summary>
          <input
            type="search"
            aria-label="Search removed Pods"
            placeholder="Pod, zone, component, reason"
            value={search}
            onInput={({ currentTarget }) => setSearch(currentTarget.value)}
          />{" "}
          {busy > 0 && (
            <label>
              <input
                type="checkbox"
                checked={isBusyOnly}
                onChange={(event) => setBusyOnly(event.currentTarget.checked)}
              />{" "}
              only busy ones
            </label>
          )}
          <span class="quiet" role="status">
            {" "}
            {listed.length} of {removed.length}
          </span>
          {listed.length > 0 && (
            <CardTable name="removed" heads={heads} rows={listed.slice(0, shown).map(rowOf)} />
          )}
          {listed.length > shown && (
            <button type="button" onClick={() => setShown(shown + rowsAtOnce)}>
              Show more ({listed.length - shown} left)
            </button>
          )}
        </details>
      )}
    </>
  );
}

function hasWords({ pod, zone, by, reason }: RemovedPodResult, words: readonly string[]): boolean {
  const text = `${pod} ${zone ?? ""} ${by} ${reason}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

/** What Pods have in common in a reason: the rule, without their names and numbers. */
function commonReason(reason: string): string {
  const [, rule] = /because of ([^:]+)/.exec(reason) ?? [];
  if (rule !== undefined) return rule;
  return /^removes (?:the only Pod|all)/.test(reason) ? "none stays" : (reason.split(":")[0] ?? reason);
}

function groupsOf(removed: readonly RemovedPodResult[]): readonly RemovalGroup[] {
  const groups = new Map<string, RemovalGroup>();
  for (const { by, reason } of removed) {
    const common = commonReason(reason);
    const key = `${by}\n${common}`;
    groups.set(key, { by, reason: common, count: (groups.get(key)?.count ?? 0) + 1 });
  }
  return [...groups.values()].toSorted((a, b) => b.count - a.count);
}

function rowOf({ atSeconds, pod, zone, isBusy, tasks, workLostSeconds, by, reason }: RemovedPodResult) {
  const work = tasks === undefined || tasks === 1 ? "busy" : `${tasks} tasks`;
  return [
    formatDuration(atSeconds * 1000),
    pod,
    zone ?? "none",
    isBusy ? <strong class="bad">{work}</strong> : "idle",
    workLostSeconds === undefined ? "none" : measureText("workLostSeconds", workLostSeconds),
    by,
    reason,
  ];
}
