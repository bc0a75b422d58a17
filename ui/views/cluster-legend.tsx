import type { JSX } from "preact";
import type { Density } from "../model/map-layout.ts";
import type { PodGroup } from "../model/pod-groups.ts";
import { shownStates } from "../model/pod-state.ts";
import { lookClass, type WorkloadColours } from "../model/workload-colours.ts";
import type { ToolbarProps } from "./cluster-toolbar.tsx";

interface LegendProps extends ToolbarProps {
  readonly groups: readonly PodGroup[];
  readonly colours: WorkloadColours;
  readonly density: Density;
}

/** What colours, patterns and letters mean. A workload that is pressed stands out against the others, which turn grey. */
export function ClusterLegend({ address, change, groups, colours, density }: LegendProps): JSX.Element {
  const own = groups.filter(({ key }) => colours.of(key) !== undefined);
  return (
    <div class="legend">
      {density === "nodes" && <HeatKey isFiltered={address.filter.workload !== ""} />}
      {(density !== "nodes" || address.groupBy === "workload") &&
        own.map((group) => (
          <GroupKey key={group.key} {...{ group, address, change, look: lookClass(colours.of(group.key)) }} />
        ))}
      {own.length < groups.length && (
        <span>
          <i class="pod s-ready cx" aria-hidden="true" />
          {groups.length - own.length} more in grey: select one to see it
        </span>
      )}
      {density !== "nodes" && (
        <>
          <span class="gap" />
          {shownStates.slice(0, 5).map(({ state, letter, text }) => (
            <span key={state}>
              <i class={`pod s-${state} cx`} aria-hidden="true">
                {letter}
              </i>
              {text}
            </span>
          ))}
        </>
      )}
    </div>
  );
}

function GroupKey({
  group,
  look,
  address,
  change,
}: ToolbarProps & { readonly group: PodGroup; readonly look: string }): JSX.Element {
  const { filter, groupBy } = address;
  const isPressed = filter.workload === group.key;
  const cell = <i class={`pod s-ready ${look}`} aria-hidden="true" />;
  if (groupBy !== "workload")
    return (
      <span>
        {cell}
        <span class="name">{group.text}</span>
      </span>
    );
  return (
    <button
      type="button"
      class="key-button"
      aria-pressed={isPressed}
      title={group.text}
      onClick={() => change({ filter: { ...filter, workload: isPressed ? "" : group.key } })}
    >
      {cell}
      <span class="name">{group.text}</span>
    </button>
  );
}

function HeatKey({ isFiltered }: { readonly isFiltered: boolean }): JSX.Element {
  return (
    <>
      <span>
        {isFiltered ? "none" : "empty"}
        {[6, 30, 60, 90].map((share) => (
          <i key={share} class="heat" style={{ "--heat": `${share}%` }} aria-hidden="true" />
        ))}
        {isFiltered ? "the most on one node" : "full, by CPU, memory or Pods"}
      </span>
      <span>
        <i class="heat off" aria-hidden="true" /> takes no Pods
      </span>
      <span>
        <i class="heat m-starting" aria-hidden="true" /> some start
      </span>
      <span>
        <i class="heat m-terminating" aria-hidden="true" /> some terminate
      </span>
      <span>
        <i class="heat m-failed" aria-hidden="true" /> some failed
      </span>
    </>
  );
}
