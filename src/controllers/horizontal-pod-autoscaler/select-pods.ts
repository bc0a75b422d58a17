import type { Pod } from "../../api/generated/core-v1.ts";
import { type LabelSelection, matchesLabels } from "../../api/labels/label-selector.ts";
import { parseLabelSelector } from "../../api/labels/parse-label-selector.ts";
import type { SelectedPods } from "../../decisions/autoscaling/autoscaling-plan.ts";
import type { Informer } from "../../machinery/informer/informer.ts";
import { indexByNamespace, objectsInNamespace } from "../../machinery/ownership/owner-index.ts";

/** The selectors of autoscalers by key, as last read from the Scales of their targets. */
export interface PodSelections {
  /** Selects the Pods of an autoscaler and remembers its selector, since no two may select the same Pods. */
  select(key: string, namespace: string, selector: string): SelectedPods;
  forget(key: string): void;
}

interface Selecting {
  readonly namespace: string;
  readonly selector: string;
  readonly selection: LabelSelection;
  /** The Pods selected at a resource version; usually no Pod has changed since. */
  selected?: { readonly version: string; readonly pods: readonly Pod[] };
}

/** Selects Pods for autoscalers from an informer. */
export function podSelections(pods: Informer<Pod>): PodSelections {
  indexByNamespace(pods);
  const known = new Map<string, Selecting>();

  const read = (
    key: string,
    namespace: string,
    selector: string,
  ): Selecting | { readonly problem: string } => {
    const before = known.get(key);
    if (before?.selector === selector) return before;
    const parsed = parseLabelSelector(selector);
    if (!parsed.ok) return { problem: parsed.error };
    const selecting = { namespace, selector, selection: parsed.selection };
    known.set(key, selecting);
    return selecting;
  };

  const selectedBy = (selecting: Selecting): readonly Pod[] => {
    const version = pods.resourceVersion;
    if (selecting.selected?.version === version) return selecting.selected.pods;
    const { selection, namespace } = selecting;
    const selected = objectsInNamespace(pods, namespace).filter(({ metadata }) =>
      matchesLabels(selection, metadata.labels),
    );
    selecting.selected = { version, pods: selected };
    return selected;
  };

  const othersSelecting = (key: string, namespace: string, selected: readonly Pod[]) => {
    const others: string[] = [];
    for (const [other, { selection, namespace: its }] of known)
      if (
        other !== key &&
        its === namespace &&
        selected.some(({ metadata }) => matchesLabels(selection, metadata.labels))
      )
        others.push(other);
    return others;
  };

  return {
    select(key, namespace, selector) {
      if (selector === "") return { kind: "no-selector" };
      const selecting = read(key, namespace, selector);
      if ("problem" in selecting) return { kind: "malformed", problem: selecting.problem };
      const selected = selectedBy(selecting);
      const others = othersSelecting(key, namespace, selected);
      if (others.length === 0) return { kind: "pods", pods: selected };
      return { kind: "ambiguous", selector, autoscalers: [key, ...others].sort() };
    },
    forget: (key) => void known.delete(key),
  };
}
