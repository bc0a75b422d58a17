import type { JSX } from "preact";
import type { Job } from "../../src/api/generated/batch-v1.ts";
import { jobView } from "../model/job-view.ts";
import { nodeHref, podHref } from "./route.ts";
import { useFrames } from "./use-store.ts";

const mostListed = 200;

/** What a Job has done, what it waits for, and its Pods. */
export function JobPods({ job }: { readonly job: Job }): JSX.Element {
  const { shown, context } = useFrames(250);
  const view = jobView(job, shown.podsByController.in(job.metadata.uid), context.now);
  const { headline, facts, pods } = view;
  return (
    <section aria-label="Job">
      <p
        class={headline.isWaiting ? "headline waits sentence-case" : "headline sentence-case"}
        aria-live="polite"
      >
        {headline.text}
      </p>
      <dl class="facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {pods.length > 0 && (
        <div class="scroll" tabIndex={0} role="region" aria-label="Pods of the Job">
          <table>
            <thead>
              <tr>
                <th scope="col">Pod</th>
                <th scope="col" class="number">
                  Index
                </th>
                <th scope="col">State</th>
                <th scope="col">Node</th>
              </tr>
            </thead>
            <tbody>
              {pods.slice(0, mostListed).map(({ pod, index, state }) => (
                <tr key={pod.metadata.uid}>
                  <th scope="row">
                    <a href={podHref(pod)}>{pod.metadata.name}</a>
                  </th>
                  <td class="number">{index}</td>
                  <td>{state}</td>
                  <td>
                    {pod.spec?.nodeName !== undefined && (
                      <a href={nodeHref(pod.spec.nodeName)}>{pod.spec.nodeName}</a>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {pods.length > mostListed && <p class="quiet">and {pods.length - mostListed} more Pods</p>}
    </section>
  );
}
