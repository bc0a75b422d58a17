import type { DaemonPlacementExplanation } from "./explain-daemon-placement.ts";
import { refusalText } from "./daemon-reason.ts";
import { joinParagraphs, plain, type TextOptions } from "./text-table.ts";

/** A DaemonSet on one node for people: whether it should run there, what happens next, and what the scheduler says. */
export function daemonPlacementText(
  explanation: DaemonPlacementExplanation,
  { paint = plain }: TextOptions = {},
): string {
  return joinParagraphs([
    [paint("heading", headline(explanation))],
    [podsLine(explanation), ...nextLines(explanation)],
    placementLines(explanation),
  ]);
}

function headline({ workload, node, verdict, refusal }: DaemonPlacementExplanation): string {
  const name = `DaemonSet ${workload.namespace}/${workload.name}`;
  const why = refusal === undefined ? "" : `: ${refusalText(refusal)}`;
  switch (verdict) {
    case "runs":
      return `${name} should run a Pod on ${node}.`;
    case "keeps":
      return `${name} gets no new Pod on ${node}, but keeps one that is there${why}.`;
    case "excluded":
      return `${name} should run no Pod on ${node}${why}.`;
  }
}

function podsLine({ pods, node }: DaemonPlacementExplanation): string {
  if (pods.length === 0) return `It has no Pod on ${node}.`;
  const names = pods.map(({ name, isUpdated }) => (isUpdated ? name : `${name} (old)`));
  return `On ${node} it has ${names.join(", ")}.`;
}

function nextLines({ next, because }: DaemonPlacementExplanation): readonly string[] {
  return next === undefined ? [] : [`Next: ${next}, ${because}.`];
}

/** What the scheduler filters with, once the DaemonSet controller has made a Pod. */
function placementLines({ node, placement }: DaemonPlacementExplanation): readonly string[] {
  if (placement === undefined) return [];
  const { scheduler, configuration, fits, reasons, preemption } = placement;
  const assumed = `Assumed: scheduler ${scheduler} with ${configuration}.`;
  if (fits) return [`The scheduler would place a new Pod there: ${node} fits.`, assumed];
  const because = reasons.join(", ").replace(/\.$/, "");
  return [
    `The scheduler would not place a new Pod there: ${because}.`,
    ...(preemption === undefined ? [] : [`Making room: ${preemption.replace(/\.$/, "")}.`]),
    assumed,
  ];
}
