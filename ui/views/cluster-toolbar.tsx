import type { JSX } from "preact";
import type { PodFilter } from "../model/pod-filter.ts";
import { type ShownState, shownStates } from "../model/pod-state.ts";
import type { WorkloadColours } from "../model/workload-colours.ts";
import { workloadText, type WorkloadName } from "../model/workloads.ts";

export type ColourBy = "workload" | "state";

interface ToolbarProps {
  readonly filter: PodFilter;
  readonly setFilter: (filter: PodFilter) => void;
  readonly colourBy: ColourBy;
  readonly setColourBy: (colourBy: ColourBy) => void;
  readonly workloads: readonly WorkloadName[];
}

/** What the cluster view colours by, and which Pods it emphasises. */
export function ClusterToolbar({
  filter,
  setFilter,
  colourBy,
  setColourBy,
  workloads,
}: ToolbarProps): JSX.Element {
  return (
    <form class="toolbar" role="search" aria-label="Filter Pods" onSubmit={(event) => event.preventDefault()}>
      <input
        type="search"
        placeholder="name, node, label=value"
        aria-label="Words in the name, node or labels"
        value={filter.text}
        onInput={({ currentTarget }) => setFilter({ ...filter, text: currentTarget.value })}
      />
      <select
        aria-label="Workload"
        value={filter.workload}
        onChange={({ currentTarget }) => setFilter({ ...filter, workload: currentTarget.value })}
      >
        <option value="">all workloads</option>
        {workloads.map((workload) => (
          <option key={workloadText(workload)} value={workloadText(workload)}>
            {workload.namespace}/{workload.name}
          </option>
        ))}
      </select>
      <select
        aria-label="State"
        value={filter.state}
        onChange={({ currentTarget }) =>
          setFilter({ ...filter, state: currentTarget.value as ShownState | "" })
        }
      >
        <option value="">all states</option>
        {shownStates.map(({ state, text }) => (
          <option key={state} value={state}>
            {text}
          </option>
        ))}
      </select>
      <fieldset class="switch">
        <legend class="visually-hidden">Colour by</legend>
        {(["workload", "state"] as const).map((each) => (
          <label key={each}>
            <input
              type="radio"
              name="colour"
              checked={colourBy === each}
              onChange={() => setColourBy(each)}
            />
            <span>{each}</span>
          </label>
        ))}
      </fieldset>
    </form>
  );
}

const mostInLegend = 8;

/** What colours, patterns and letters mean. */
export function ClusterLegend({
  colourBy,
  workloads,
  colours,
}: {
  readonly colourBy: ColourBy;
  readonly workloads: readonly WorkloadName[];
  readonly colours: WorkloadColours;
}): JSX.Element {
  return (
    <div class="legend">
      {colourBy === "workload" &&
        workloads.slice(0, mostInLegend).map((workload) => (
          <span key={workloadText(workload)}>
            <i class={`pod s-ready c${colours.of(workloadText(workload))}`} aria-hidden="true" />
            {workload.name}
          </span>
        ))}
      {colourBy === "workload" && workloads.length > mostInLegend && (
        <span class="quiet">and {workloads.length - mostInLegend} more</span>
      )}
      <span class="gap" />
      {shownStates.slice(0, 5).map(({ state, letter, text }) => (
        <span key={state}>
          <i class={`pod s-${state} cx`} aria-hidden="true">
            {letter}
          </i>
          {text}
        </span>
      ))}
    </div>
  );
}
