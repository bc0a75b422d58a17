import type { JSX } from "preact";
import type { Node, Pod } from "../../src/api/generated/core-v1.ts";
import { unreachableAnnotation } from "../../src/api/well-known.ts";
import { nodeProblem } from "../model/cluster-problems.ts";
import { fillText, nodeFill } from "../model/node-fill.ts";
import { shownStateOf, podStateText } from "../model/pod-state.ts";
import { collator, workloadOfPod } from "../model/workloads.ts";
import { zoneNameOf } from "../model/zones.ts";
import { ActionButton } from "./action-button.tsx";

import { podHref, workloadHref } from "./route.ts";
import { useFrames } from "./use-store.ts";

/** One node: its Pods, and what can be done to it. */
export function NodeView({ name }: { readonly name: string }): JSX.Element {
  const { shown } = useFrames(250);
  const node = shown.collections.nodes.get(name);
  const pods = shown.podsByNode
    .in(name)
    .toSorted((a, b) => collator.compare(a.metadata.name, b.metadata.name));
  return (
    <div class="view">
      <p class="crumbs">
        <a href="#/cluster">Cluster</a>
      </p>
      <div class="title">
        <h1>{name}</h1>
        <span class="kind">Node</span>
        {node !== undefined && <NodeActions node={node} />}
      </div>
      {node === undefined ? (
        <p class="empty">There is no such node at this moment.</p>
      ) : (
        <NodeFacts node={node} pods={pods} />
      )}
      {pods.length > 0 && <PodTable pods={pods} />}
    </div>
  );
}

function NodeActions({ node }: { readonly node: Node }): JSX.Element {
  const { name } = node.metadata;
  const isCordoned = node.spec?.unschedulable === true;
  const isFailed = node.metadata.annotations?.[unreachableAnnotation] === "true";
  return (
    <>
      <ActionButton
        label={isCordoned ? "Uncordon" : "Cordon"}
        action={isCordoned ? { action: "uncordon", node: name } : { action: "cordon", node: name }}
      />
      <ActionButton label="Drain" action={{ action: "drain", node: name }} />
      <ActionButton
        label={isFailed ? "Restore" : "Fail"}
        action={isFailed ? { action: "restore", node: name } : { action: "fail", node: name }}
      />
    </>
  );
}

function NodeFacts({ node, pods }: { readonly node: Node; readonly pods: readonly Pod[] }): JSX.Element {
  const taints = node.spec?.taints ?? [];
  const facts = [
    ["zone", zoneNameOf(node) || "–"],
    ["condition", nodeProblem(node) ?? "ready"],
    ...nodeFill(node, pods).map(
      (fill) => [`${fill.resource} requested`, fillText(fill).slice(fill.resource.length + 1)] as const,
    ),
    ["taints", taints.map(({ key, effect }) => `${key}:${effect}`).join(", ") || "none"],
  ] satisfies readonly (readonly [string, string])[];
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function PodTable({ pods }: { readonly pods: readonly Pod[] }): JSX.Element {
  const { shown } = useFrames(250);
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Pods of the node">
      <table>
        <thead>
          <tr>
            <th scope="col">Pod</th>
            <th scope="col">State</th>
            <th scope="col">Workload</th>
          </tr>
        </thead>
        <tbody>
          {pods.map((pod) => {
            const workload = workloadOfPod(pod, shown);
            return (
              <tr key={pod.metadata.uid}>
                <th scope="row">
                  <a href={podHref(pod)}>
                    <span class="quiet">{pod.metadata.namespace}/</span>
                    {pod.metadata.name}
                  </a>
                </th>
                <td>{podStateText(shownStateOf(pod)).text}</td>
                <td>
                  {workload.kind === "Pod" ? (
                    ""
                  ) : (
                    <a href={workloadHref(workload)}>
                      {workload.kind} {workload.name}
                    </a>
                  )}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
