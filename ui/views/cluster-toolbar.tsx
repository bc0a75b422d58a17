import type { JSX } from "preact";
import { densities } from "../model/map-layout.ts";
import { groupings } from "../model/pod-groups.ts";
import { type ShownState, shownStates } from "../model/pod-state.ts";
import { type WorkloadName, workloadsOf, workloadText } from "../model/workloads.ts";
import type { ClusterAddress } from "./route.ts";
import { useStore } from "./use-store.ts";

export interface ToolbarProps {
  readonly address: ClusterAddress;
  readonly change: (changed: Partial<ClusterAddress>) => void;
}

/** What the cluster view colours by, how large it draws, and which Pods it emphasises. */
export function ClusterToolbar({ address, change }: ToolbarProps): JSX.Element {
  const { shown } = useStore();
  const { filter } = address;
  const workloads: readonly WorkloadName[] = workloadsOf(shown).map(({ kind, object: { metadata } }) => ({
    kind,
    namespace: metadata.namespace ?? "",
    name: metadata.name,
  }));
  return (
    <form class="toolbar" role="search" aria-label="Filter Pods" onSubmit={(event) => event.preventDefault()}>
      <input
        type="search"
        placeholder="name, node, label=value"
        aria-label="Words in the name, node or labels"
        value={filter.text}
        onInput={({ currentTarget }) => change({ filter: { ...filter, text: currentTarget.value } })}
      />
      <select
        aria-label="Workload"
        value={filter.workload}
        onChange={({ currentTarget }) => change({ filter: { ...filter, workload: currentTarget.value } })}
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
          change({ filter: { ...filter, state: currentTarget.value as ShownState | "" } })
        }
      >
        <option value="">all states</option>
        {shownStates.map(({ state, text }) => (
          <option key={state} value={state}>
            {text}
          </option>
        ))}
      </select>
      <Switch
        name="colour"
        legend="Colour by"
        values={groupings}
        value={address.groupBy}
        set={(groupBy) => change({ groupBy })}
      />
      <Switch
        name="density"
        legend="Show"
        values={["", ...densities]}
        value={address.density}
        set={(density) => change({ density })}
      />
    </form>
  );
}

interface SwitchProps<T extends string> {
  readonly name: string;
  readonly legend: string;
  /** An empty one is `auto`. */
  readonly values: readonly T[];
  readonly value: T;
  readonly set: (value: T) => void;
}

function Switch<T extends string>({ name, legend, values, value, set }: SwitchProps<T>): JSX.Element {
  return (
    <fieldset class="switch">
      <legend class="visually-hidden">{legend}</legend>
      {values.map((each) => (
        <label key={each}>
          <input type="radio" name={name} checked={value === each} onChange={() => set(each)} />
          <span>{each === "" ? "auto" : each}</span>
        </label>
      ))}
    </fieldset>
  );
}
