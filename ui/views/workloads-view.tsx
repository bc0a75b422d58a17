import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { countPods } from "../model/pod-state.ts";
import { workloadHeadline } from "../model/workload-headline.ts";
import { desiredOf, podsOfWorkload, type Workload, workloadsOf } from "../model/workloads.ts";
import { zoneSpreadOf } from "../model/zones.ts";
import { workloadHref } from "./route.ts";
import { ScaledObjectsTable } from "./scaled-objects-table.tsx";
import { useFrames } from "./use-store.ts";

/** Limits the workloads that are listed; a search finds the others. */
const mostListed = 200;

/** Every workload: how many Pods it has, how they are spread, and what it waits for. */
export function WorkloadsView(): JSX.Element {
  const { shown } = useFrames(500);
  const [search, setSearch] = useState("");
  const all = workloadsOf(shown);
  const found = all.filter(({ kind, object: { metadata } }) =>
    `${kind} ${metadata.namespace}/${metadata.name}`.toLowerCase().includes(search.trim().toLowerCase()),
  );
  return (
    <div class="view">
      <div class="title">
        <h1>Workloads</h1>
        <input
          type="search"
          aria-label="Search workloads"
          placeholder="namespace/name"
          value={search}
          onInput={({ currentTarget }) => setSearch(currentTarget.value)}
        />
      </div>
      {all.length === 0 && <p class="empty">No Deployment, ReplicaSet, StatefulSet, DaemonSet or Job yet.</p>}
      {found.length > 0 && (
        <div class="scroll" tabIndex={0} role="region" aria-label="Workloads">
          <table>
            <thead>
              <tr>
                <th scope="col">Workload</th>
                <th scope="col">Kind</th>
                <th scope="col" class="number">
                  Desired
                </th>
                <th scope="col" class="number">
                  Ready
                </th>
                <th scope="col" class="number">
                  Waiting
                </th>
                <th scope="col" class="number">
                  Ending
                </th>
                <th scope="col" class="number">
                  Skew
                </th>
                <th scope="col">Waits for</th>
              </tr>
            </thead>
            <tbody>
              {found.slice(0, mostListed).map((workload) => (
                <WorkloadRow key={workload.object.metadata.uid} workload={workload} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {found.length > mostListed && (
        <p class="quiet">and {found.length - mostListed} more: search for them</p>
      )}
      <ScaledObjectsTable search={search} />
    </div>
  );
}

function WorkloadRow({ workload }: { readonly workload: Workload }): JSX.Element {
  const { shown, context } = useFrames(500);
  const { namespace = "", name } = workload.object.metadata;
  const pods = podsOfWorkload(workload, shown);
  const counts = countPods(pods);
  const headline = workloadHeadline(workload, shown, context);
  return (
    <tr>
      <th scope="row">
        <a href={workloadHref({ kind: workload.kind, namespace, name })}>
          <span class="quiet">{namespace}/</span>
          {name}
        </a>
      </th>
      <td>{workload.kind}</td>
      <td class="number">{desiredOf(workload)}</td>
      <td class="number">{counts.ready}</td>
      <td class="number">{blankZero(counts.starting + counts.unscheduled)}</td>
      <td class="number">{blankZero(counts.terminating)}</td>
      <td class="number">{zoneSpreadOf(pods, shown).skew}</td>
      <td class={headline?.isWaiting === true ? "sentence waits" : "sentence quiet"}>
        {headline?.text ?? ""}
      </td>
    </tr>
  );
}

/** Leaves out zeros, so that the other numbers stand out. */
function blankZero(value: number): string {
  return value === 0 ? "" : String(value);
}
