import type { JSX } from "preact";
import type { RemovalRecord } from "../../src/decisions/explain/removal-record.ts";
import type { RolloutRecord } from "../../src/decisions/explain/rollout-record.ts";
import type { DecisionEntry } from "../model/decision-entries.ts";
import { pickerSentence } from "../model/picker-sentence.ts";
import { podHref } from "./route.ts";
import { RecordedPlacement } from "./pod-placement.tsx";

const mostListed = 100;

/** The table behind a decision. */
export function DecisionTable({ entry }: { readonly entry: DecisionEntry }): JSX.Element | null {
  switch (entry.kind) {
    case "removal":
      return entry.record === undefined ? null : <RemovalTable record={entry.record} />;
    case "disruption":
    case "autoscaling":
      return null;
    case "rollout":
      return <RolloutTable record={entry.record} />;
    case "placement":
      return <RecordedPlacement listed={entry.record} />;
  }
}

function RemovalTable({ record }: { readonly record: RemovalRecord }): JSX.Element {
  const { rules, candidates, picker, leftOut = 0 } = record;
  const hidden = Math.max(0, candidates.length - mostListed) + leftOut;
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Candidates">
      {picker !== undefined && <p class="picker">{pickerSentence(picker)}</p>}
      <table>
        <thead>
          <tr>
            <th scope="col">Pod</th>
            <th scope="col">Node</th>
            <th scope="col">Verdict</th>
            {rules.map(({ name, unit }) => (
              <th key={`${name}/${unit}`} scope="col" class="number slim">
                {unit === undefined ? name : `${name} (${unit})`}
              </th>
            ))}
            <th scope="col">Reason</th>
          </tr>
        </thead>
        <tbody>
          {candidates.slice(0, mostListed).map(({ pod, uid, node = "", verdict, keys, because, reason }) => (
            <tr key={uid} class={verdict}>
              <th scope="row">
                <a href={podHref({ metadata: { namespace: record.workload.namespace, name: pod } })}>{pod}</a>
              </th>
              <td>
                <span class="name">{node}</span>
              </td>
              <td>{verdict}</td>
              {rules.map(({ name, unit }, index) => (
                <td key={`${name}/${unit}`} class={`number${because?.rule === name ? " decides" : ""}`}>
                  {short(keys[index])}
                </td>
              ))}
              <td class="sentence">{reason}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {hidden > 0 && <p class="quiet">and {hidden} more</p>}
    </div>
  );
}

/** UIDs are long, and their beginning tells them apart. */
function short(key: string | number | null | undefined): string {
  const text = key === null || key === undefined ? "–" : String(key);
  return text.length > 10 ? `${text.slice(0, 8)}…` : text;
}

function RolloutTable({ record }: { readonly record: RolloutRecord }): JSX.Element {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Revisions">
      <table>
        <thead>
          <tr>
            <th scope="col">ReplicaSet</th>
            <th scope="col">Role</th>
            <th scope="col" class="number">
              Size
            </th>
            <th scope="col">Limit</th>
          </tr>
        </thead>
        <tbody>
          {record.revisions.map(({ replicaSet = "to be created", role, size, reason }) => (
            <tr key={replicaSet}>
              <th scope="row">
                <span class="name">{replicaSet}</span>
              </th>
              <td>{role}</td>
              <td class="number">{size}</td>
              <td class="sentence">{reason}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
