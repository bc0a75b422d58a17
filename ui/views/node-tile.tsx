import type { JSX } from "preact";
import { memo } from "preact/compat";
import type { Node, Pod } from "../../src/api/generated/core-v1.ts";
import type { ClusterState } from "../live/cluster-state.ts";
import { nodeProblem } from "../model/cluster-problems.ts";
import type { Density } from "../model/map-layout.ts";
import { fillText, fullest, nodeFill } from "../model/node-fill.ts";
import { shownStateOf, podStateText, type ShownState } from "../model/pod-state.ts";
import { collator, shortPodName, workloadOfPod } from "../model/workloads.ts";
import { plural } from "./format.ts";
import { nodeHref, podHref } from "./route.ts";

/** How Pods are drawn; the same object for as long as that does not change. */
export interface PodLook {
  readonly state: ClusterState;
  /** The classes that give a Pod the colour of its group. */
  readonly colourOf: (pod: Pod) => string;
  readonly density: Density;
  /** Which Pods are emphasised; absent: all. */
  readonly isShown: ((pod: Pod) => boolean) | undefined;
  /** The most emphasised Pods on one node, where nodes are cells. */
  readonly mostShown?: number;
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
  if (node === undefined) return <div class="pods">{cellsOf(pods, look)}</div>;
  if (look.density === "nodes") return <NodeCell node={node} pods={pods} look={look} />;
  const { name } = node.metadata;
  const problem = nodeProblem(node);
  const fills = nodeFill(node, pods);
  return (
    <li class={`node${problem === undefined ? "" : " off"}`}>
      <div class="node-head">
        <a
          class="node-name"
          href={nodeHref(name)}
          title={name}
          tabIndex={-1}
          aria-label={`${nodeLabel(node, pods)}, ${fills.map(fillText).join(", ")}`}
        >
          {name}
        </a>
        {problem !== undefined && <span class="node-problem">{problem}</span>}
      </div>
      <div class="fills" aria-hidden="true" title={fills.map(fillText).join("\n")}>
        {fills.map(({ resource, share }) => (
          <span key={resource} class={share >= 0.9 ? "fill full" : "fill"}>
            <i style={{ width: `${Math.min(100, Math.round(100 * share))}%` }} />
          </span>
        ))}
      </div>
      <div class="pods">{cellsOf(pods, look)}</div>
    </li>
  );
}

function cellsOf(pods: readonly Pod[], look: PodLook): JSX.Element[] {
  const { state, colourOf, isShown, marks } = look;
  const sorted = pods.toSorted((a, b) => collator.compare(a.metadata.name, b.metadata.name));
  return sorted.map((pod) => {
    const workload = workloadOfPod(pod, state);
    return (
      <PodCell
        key={pod.metadata.uid}
        pod={pod}
        workload={`${workload.kind} ${workload.name}`}
        name={look.density === "names" ? shortPodName(pod, workload) : undefined}
        colour={colourOf(pod)}
        isDimmed={isShown !== undefined && !isShown(pod)}
        mark={marks?.get(pod)}
      />
    );
  });
}

function nodeLabel(node: Node, pods: readonly Pod[]): string {
  const problem = nodeProblem(node);
  return `${node.metadata.name}, ${plural(pods.length, "Pod")}${problem === undefined ? "" : `, ${problem}`}`;
}

/** The states that the cell of a node shows by a mark, the worst first. */
const markedStates: readonly ShownState[] = ["failed", "unknown", "starting", "terminating"];

/** A node as one cell: the darker, the fuller, or the more of the emphasised Pods it has. */
function NodeCell({ node, pods, look }: NodeTileProps & { readonly node: Node }): JSX.Element {
  const { isShown, mostShown = 1 } = look;
  const shown = isShown === undefined ? pods : pods.filter(isShown);
  const fills = nodeFill(node, pods);
  const share = isShown === undefined ? (fullest(fills)?.share ?? 0) : shown.length / Math.max(1, mostShown);
  const states = new Set(shown.map(shownStateOf));
  const marked = markedStates.find((state) => states.has(state));
  const isOff = nodeProblem(node) !== undefined;
  const of = isShown === undefined ? "" : `, ${shown.length} of them selected`;
  const some = marked === undefined ? "" : `, some ${podStateText(marked).text}`;
  const label = `${nodeLabel(node, pods)}${of}${some}, ${fills.map(fillText).join(", ")}`;
  return (
    <li>
      <a
        class={`heat${isOff ? " off" : ""}${marked === undefined ? "" : ` m-${marked}`}`}
        style={{ "--heat": `${Math.round(6 + 84 * Math.min(1, share))}%` }}
        href={nodeHref(node.metadata.name)}
        title={label}
        aria-label={label}
        tabIndex={-1}
      />
    </li>
  );
}

interface PodCellProps {
  readonly pod: Pod;
  readonly workload: string;
  /** What is written beside the cell, where there is room. */
  readonly name: string | undefined;
  /** The classes of its colour. */
  readonly colour: string;
  /** Its place among the Pods that a preview removes. */
  readonly mark?: number | undefined;
  readonly isDimmed?: boolean;
}

/** A Pod as a small cell: the colour is its group or state, the pattern and letter its state. */
function PodCell({ pod, workload, name, colour, mark, isDimmed = false }: PodCellProps): JSX.Element {
  const state = shownStateOf(pod);
  const { letter, text } = podStateText(state);
  const goes = mark === undefined ? "" : `, would be removed as number ${mark}`;
  const full = pod.metadata.name;
  // The name by which the link is called begins with what can be seen of it.
  const called = name === undefined || name === full ? full : `${name}, ${full}`;
  const label = `${called}, ${text}, ${workload}${goes}`;
  const cell = `pod s-${state} ${colour}${isDimmed ? " dim" : ""}${mark === undefined ? "" : " marked"}`;
  return (
    <a
      class={name === undefined ? cell : `named${isDimmed ? " dim" : ""}`}
      href={podHref(pod)}
      title={label}
      aria-label={label}
      tabIndex={-1}
    >
      {name === undefined ? (
        (mark ?? letter)
      ) : (
        <>
          <i class={cell} data-letter={mark ?? letter} />
          <span>{name}</span>
        </>
      )}
    </a>
  );
}
