import type { JSX } from "preact";
import { formatDuration } from "../../src/api/duration.ts";
import { measureText } from "../../src/simulation/scenario-comparison/measure-text.ts";
import type { ScenarioResult } from "../../src/simulation/scenario-run/scenario-result.ts";
import { CardTable } from "./cells.tsx";

interface RunProps {
  readonly result: ScenarioResult;
}

const workloadHeads = [
  "workload",
  "Pods removed",
  "while busy",
  "work lost",
  "highest skew",
  "Pod-hours",
  "most Pods",
  "most terminating",
  "longest to complete",
];

/** The numbers of each workload over the whole run. */
export function WorkloadTable({ result: { workloads, completions } }: RunProps): JSX.Element {
  const rows = Object.entries(workloads).map(([workload, summary]) => {
    const own = completions.filter((each) => each.workload === workload);
    const took = own.flatMap(({ tookSeconds }) => tookSeconds ?? []);
    const open = own.length - took.length;
    const longest = took.length === 0 ? "none" : measureText("slowestCompletionSeconds", Math.max(...took));
    return [
      workload,
      summary.removedPods,
      summary.busyPodsRemoved,
      measureText("workLostSeconds", summary.workLostSeconds),
      summary.highestSkew,
      measureText("podHours", summary.podHours),
      summary.mostPods,
      summary.mostTerminating,
      open === 0 ? longest : `${longest}, ${open} not completed`,
    ];
  });
  return <CardTable name="workloads" heads={workloadHeads} rows={rows} />;
}

/** The assertions of the scenario, and what violated them. */
export function AssertionList({ result: { assertions } }: RunProps): JSX.Element | null {
  if (assertions.length === 0) return null;
  return (
    <>
      <h3>Assertions</h3>
      <ul class="assertions">
        {assertions.map(({ name, passed, failure }) => (
          <li key={name}>
            <strong class={passed ? "good" : "bad"}>{passed ? "holds" : "fails"}</strong> {name}
            {failure !== undefined && (
              <div class="failure">
                at {formatDuration(failure.atSeconds * 1000)}: {failure.message}
                {failure.decision !== undefined && (
                  <div>
                    {failure.decision.by}: {failure.decision.text}
                  </div>
                )}
              </div>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

/** The events of the scenario. */
export function ScenarioEvents({ result: { events } }: RunProps): JSX.Element | null {
  if (events.length === 0) return null;
  return (
    <details>
      <summary>Events ({events.length})</summary>
      <p class="quiet">The plots mark them by their numbers, and moments at which assertions failed by !.</p>
      <ol class="events">
        {events.map(({ atSeconds, text, error, passed }, index) => (
          <li key={index}>
            <time>{formatDuration(atSeconds * 1000)}</time> {text}
            {error !== undefined && <div class={passed ? "quiet" : "bad"}>refused: {error}</div>}
          </li>
        ))}
      </ol>
    </details>
  );
}
