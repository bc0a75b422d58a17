import type { JSX } from "preact";
import type { ClusterState } from "../live/cluster-state.ts";
import { type ClusterProblem, clusterProblems } from "../model/cluster-problems.ts";
import { noFilter } from "../model/pod-filter.ts";
import { podStateText } from "../model/pod-state.ts";
import { plural } from "./format.ts";
import { type ClusterAddress, clusterHref, nodeHref } from "./route.ts";

/** Whether something is wrong, in one line; each part leads to what it is about. */
export function ClusterProblems({
  state,
  address,
}: {
  readonly state: ClusterState;
  readonly address: ClusterAddress;
}): JSX.Element {
  const problems = clusterProblems(state);
  if (problems.length === 0)
    return <span class="all-well">All nodes take Pods, and no Pod waits or failed.</span>;
  return (
    <>
      {problems.map((problem) => (
        <a key={textOf(problem)} class="problem" href={hrefOf(problem, address)}>
          {textOf(problem)}
        </a>
      ))}
    </>
  );
}

function textOf(problem: ClusterProblem): string {
  if (problem.kind === "pods") return `${plural(problem.count, "Pod")} ${podStateText(problem.state).text}`;
  const [first = "", ...others] = problem.nodes;
  return others.length === 0
    ? `${first} ${problem.problem}`
    : `${plural(problem.nodes.length, "node")} ${problem.problem}`;
}

function hrefOf(problem: ClusterProblem, address: ClusterAddress): string {
  if (problem.kind === "nodes") return nodeHref(problem.nodes[0] ?? "");
  return clusterHref({ ...address, filter: { ...noFilter, state: problem.state } });
}
