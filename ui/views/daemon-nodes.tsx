import type { JSX } from "preact";
import type { DaemonSet } from "../../src/api/generated/apps-v1.ts";
import { daemonBudgetSentence, daemonSummary } from "../../src/decisions/explain/daemon-set-text.ts";
import { explainDaemonSet } from "../../src/decisions/explain/explain-daemon-set.ts";
import { useFrames } from "./use-store.ts";

/** Limits the nodes that are listed: those where something happens or waits come first. */
const mostListed = 200;

/** The nodes of a DaemonSet: which Pods each has, and what happens there or why nothing does. */
export function DaemonNodes({ daemonSet }: { readonly daemonSet: DaemonSet }): JSX.Element | null {
  const { shown, context } = useFrames(250);
  const { namespace = "", name } = daemonSet.metadata;
  const workload = { kind: "DaemonSet", namespace, name } as const;
  const explanation = explainDaemonSet(shown.objects, { workload, now: context.now });
  if (explanation === undefined) return null;
  const { nodes } = explanation;
  const waits = nodes.some(({ next }) => next === "wait");
  return (
    <section aria-label="Nodes">
      <p class={waits ? "headline waits sentence-case" : "headline sentence-case"} aria-live="polite">
        {daemonSummary(explanation)}
      </p>
      <p class="sentence">{daemonBudgetSentence(explanation)}</p>
      <div class="scroll" tabIndex={0} role="region" aria-label="Nodes">
        <table>
          <thead>
            <tr>
              <th scope="col">Node</th>
              <th scope="col">Pods</th>
              <th scope="col">Next</th>
              <th scope="col">Why</th>
            </tr>
          </thead>
          <tbody>
            {nodes.slice(0, mostListed).map(({ node, pods, next, because }) => (
              <tr key={node}>
                <th scope="row">
                  <span class="name">{node}</span>
                </th>
                <td>
                  <span class="name">
                    {pods.map(({ name: pod, isUpdated }) => (isUpdated ? pod : `${pod} (old)`)).join(", ")}
                  </span>
                </td>
                <td>{next ?? ""}</td>
                <td class={next === "wait" ? "sentence waits" : "sentence quiet"}>{because}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {nodes.length > mostListed && <p class="quiet">and {nodes.length - mostListed} more nodes</p>}
    </section>
  );
}
