import type { JSX } from "preact";
import type { Pod } from "../../src/api/generated/core-v1.ts";
import { shownStateOf, podStateText } from "../model/pod-state.ts";
import { podHref } from "./route.ts";

export interface PodCellProps {
  readonly pod: Pod;
  /** The name of its workload, and the number of its colour. */
  readonly workload: string;
  readonly colour: number;
  /** Its place among the Pods that a preview removes. */
  readonly mark?: number | undefined;
  readonly isDimmed?: boolean;
}

/** A Pod as a small cell: the colour is its workload or state, the pattern and letter its state. */
export function PodCell({ pod, workload, colour, mark, isDimmed = false }: PodCellProps): JSX.Element {
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
