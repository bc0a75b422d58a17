import type { JSX } from "preact";
import type { StatefulSet } from "../../src/api/generated/apps-v1.ts";
import { explainStatefulSet } from "../../src/decisions/explain/explain-stateful-set.ts";
import { statefulLimitsSentence, statefulSummary } from "../../src/decisions/explain/stateful-set-text.ts";
import { useFrames } from "./use-store.ts";

/** Limits the Pods that are listed: the highest ordinals, which go first, come first. */
const mostListed = 200;

/** The ordinals of a StatefulSet: which Pod each has, what happens to it next, and what the set waits for. */
export function StatefulPods({ statefulSet }: { readonly statefulSet: StatefulSet }): JSX.Element | null {
  const { shown, context } = useFrames(250);
  const { namespace = "", name } = statefulSet.metadata;
  const workload = { kind: "StatefulSet", namespace, name } as const;
  const { now, gates } = context;
  const explanation = explainStatefulSet(shown.objects, { workload, now, gates: () => gates });
  if (explanation === undefined) return null;
  const { pods, waits } = explanation;
  const [first, ...others] = waits;
  return (
    <section aria-label="Ordinals">
      <p class={first === undefined ? "headline sentence-case" : "headline waits"} aria-live="polite">
        {first ?? statefulSummary(explanation)}
      </p>
      <p class="sentence">{statefulLimitsSentence(explanation)}</p>
      {others.map((wait) => (
        <p key={wait} class="sentence waits">
          {wait}
        </p>
      ))}
      <div class="scroll" tabIndex={0} role="region" aria-label="Ordinals">
        <table>
          <thead>
            <tr>
              <th scope="col">Pod</th>
              <th scope="col">State</th>
              <th scope="col">Revision</th>
              <th scope="col">Next</th>
              <th scope="col">Why</th>
            </tr>
          </thead>
          <tbody>
            {pods.slice(0, mostListed).map(({ pod, state, revision = "", next = "", because }) => (
              <tr key={pod}>
                <th scope="row">
                  <span class="name">{pod}</span>
                </th>
                <td>{state}</td>
                <td>
                  <span class="name">{revision}</span>
                </td>
                <td>{next}</td>
                <td class="sentence quiet">{because}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {pods.length > mostListed && <p class="quiet">and {pods.length - mostListed} more Pods</p>}
    </section>
  );
}
