import type { JSX } from "preact";
import type { RolloutView } from "../model/revision-rows.ts";

/** The revisions of a Deployment, and what limits each. */
export function RevisionTable({ view }: { readonly view: RolloutView }): JSX.Element | null {
  if (view.revisions.length === 0) return null;
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Revisions">
      <table>
        <thead>
          <tr>
            <th scope="col">Revision</th>
            <th scope="col">ReplicaSet</th>
            <th scope="col" class="number">
              Size
            </th>
            <th scope="col" class="number">
              Available
            </th>
            <th scope="col" class="number">
              Not yet
            </th>
            <th scope="col" class="number">
              Ending
            </th>
            <th scope="col">Limit</th>
          </tr>
        </thead>
        <tbody>
          {view.revisions.map((row) => (
            <tr key={row.replicaSet}>
              <td>
                {row.revision} <span class="quiet">{row.role}</span>
              </td>
              <th scope="row">
                <span class="name">{row.replicaSet}</span>
              </th>
              <td class="number">{row.size}</td>
              <td class="number">{row.available}</td>
              <td class="number">{row.unavailable}</td>
              <td class="number">{row.terminating}</td>
              <td class="sentence">{row.waits}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
