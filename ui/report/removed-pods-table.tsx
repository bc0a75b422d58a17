import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { formatDuration } from "../../src/api/duration.ts";
import { measureText } from "../../src/simulation/scenario-comparison/measure-text.ts";
import type { RemovedPodResult } from "../../src/simulation/scenario-run/scenario-result.ts";
import { CardTable } from "./cells.tsx";

/** Limits the rows at first, and how many each press of the button adds: a long run has tens of thousands. */
const rowsAtOnce = 100;

const heads = ["time", "Pod", "zone", "busy", "work lost", "by", "why"];

/** The Pods that were removed, by which component, and why. */
export function RemovedPodsTable({
  removed,
}: {
  readonly removed: readonly RemovedPodResult[];
}): JSX.Element {
  const [shown, setShown] = useState(rowsAtOnce);
  const [isBusyOnly, setBusyOnly] = useState(false);
  const listed = isBusyOnly ? removed.filter(({ isBusy }) => isBusy) : removed;
  const busy = removed.filter(({ isBusy }) => isBusy).length;
  return (
    <>
      <h3>
        Removed Pods: {removed.length}, {busy} of them while busy
      </h3>
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
      {listed.length > 0 && (
        <CardTable name="removed" heads={heads} rows={listed.slice(0, shown).map(rowOf)} />
      )}
      {listed.length > shown && (
        <button type="button" onClick={() => setShown(shown + rowsAtOnce)}>
          Show more ({listed.length - shown} left)
        </button>
      )}
    </>
  );
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
