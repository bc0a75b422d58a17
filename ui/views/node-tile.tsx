import type { JSX } from "preact";
import { memo } from "preact/compat";
import { isConditionTrue } from "../../src/api/conditions.ts";
import type { Node, Pod } from "../../src/api/generated/core-v1.ts";
import type { ClusterState } from "../live/cluster-state.ts";
import type { WorkloadColours } from "../model/workload-colours.ts";
import { collator, workloadText, workloadOfPod } from "../model/workloads.ts";
import { plural } from "./format.ts";
import { nodeHref, podHref } from "./route.ts";
import { shownStateOf, podStateText } from "../model/pod-state.ts";

/** How Pods are drawn; the same object for as long as that does not change. */
export interface PodLook {
  readonly state: ClusterState;
  readonly colours: WorkloadColours;
  /** Which Pods are emphasised; absent: all. */
  readonly isShown: ((pod: Pod) => boolean) | undefined;
  /** The places of the Pods that a preview removes. */
  readonly marks?: ReadonlyMap<Pod, number>;
}

interface NodeTileProps {
  /** Absent for the Pods that have none. */
  readonly node: Node | undefined;
  /** The same array for as long as none of the Pods changes. */
  readonly pods: readonly Pod[];
  readonly look: PodLook;
}

/** A node and its Pods; drawn again only when the node, one of its Pods or the look has changed. */
export const NodeTile = memo(DrawnNodeTile);

function DrawnNodeTile({ node, pods, look }: NodeTileProps): JSX.Element {
  const sorted = pods.toSorted((a, b) => collator.compare(a.metadata.name, b.metadata.name));
  const { state, colours, isShown, marks } = look;
  const cells = sorted.map((pod) => {
    const workload = workloadOfPod(pod, state);
    return (
      <PodCell
        key={pod.metadata.uid}
        pod={pod}
        workload={`${workload.kind} ${workload.name}`}
        colour={colours.of(workloadText(workload))}
        isDimmed={isShown !== undefined && !isShown(pod)}
        mark={marks?.get(pod)}
      />
    );
  });
  if (node === undefined) return <div class="pods">{cells}</div>;
  const { name } = node.metadata;
  const problem = nodeProblem(node);
  return (
    <li class={`node${problem === undefined ? "" : " off"}`}>
      <a
        class="node-name"
        href={nodeHref(name)}
        title={name}
        tabIndex={-1}
        aria-label={`${name}, ${plural(pods.length, "Pod")}${problem === undefined ? "" : `, ${problem}`}`}
      >
        {name}
      </a>
      {problem !== undefined && <span class="node-problem">{problem}</span>}
      <div class="pods">{cells}</div>
    </li>
  );
}

/** Returns in a word or two why a node takes no Pods. */
export function nodeProblem({ spec, status }: Node): string | undefined {
  const isKnown = (status?.conditions ?? []).some(({ type }) => type === "Ready");
  if (isKnown && !isConditionTrue(status?.conditions, "Ready")) return "not ready";
  return spec?.unschedulable === true ? "cordoned" : undefined;
}

interface PodCellProps {
  readonly pod: Pod;
  /** The name of its workload, and the number of its colour. */
  readonly workload: string;
  readonly colour: number;
  /** Its place among the Pods that a preview removes. */
  readonly mark?: number | undefined;
  readonly isDimmed?: boolean;
}

/** A Pod as a small cell: the colour is its workload or state, the pattern and letter its state. */
function PodCell({ pod, workload, colour, mark, isDimmed = false }: PodCellProps): JSX.Element {
  const state = shownStateOf(pod);
  const { letter, text } = podStateText(state);
  const goes = mark === undefined ? "" : `, would be removed as number ${mark}`;
  const label = `${pod.metadata.name}, ${text}, ${workload}${goes}`;
  return (
    <a
      class={`pod s-${state} c${colour}${isDimmed ? " dim" : ""}${mark === undefined ? "" : " marked"}`}
      href={podHref(pod)}
      title={label}
      aria-label={label}
      tabIndex={-1}
    >
      {mark ?? letter}
    </a>
  );
}
