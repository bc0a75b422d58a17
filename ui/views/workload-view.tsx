import type { JSX } from "preact";
import { controllerOf } from "../../src/api/owner-references.ts";
import { workloadNamed, podsOfWorkload, type Workload, type WorkloadName } from "../model/workloads.ts";
import { rolloutView } from "../model/revision-rows.ts";
import { ActionButton } from "./action-button.tsx";
import { isScaledName } from "../model/scaled-objects.ts";
import { DaemonNodes } from "./daemon-nodes.tsx";
import { BudgetGauge } from "./budget-gauge.tsx";
import { JobPods } from "./job-pods.tsx";
import { RevisionTable } from "./revision-table.tsx";
import { workloadHref } from "./route.ts";
import { ScaledObjectView } from "./scaled-object-view.tsx";
import { ScalePanel } from "./scale-panel.tsx";
import { StatefulPods } from "./stateful-pods.tsx";
import { useFrames } from "./use-store.ts";

/** The kinds whose Pods a rollout replaces. */
const restartable: ReadonlySet<string> = new Set(["Deployment", "StatefulSet", "DaemonSet"]);

/** One workload: its revisions against their budget, what it waits for, and what a scale would do. */
export function WorkloadView({ name }: { readonly name: WorkloadName }): JSX.Element {
  const { shown } = useFrames(250);
  const workload = workloadNamed(name, shown);
  return (
    <div class="view">
      <p class="crumbs">
        <a href="#/workloads">Workloads</a>
      </p>
      <div class="title">
        <h1>
          <span class="quiet">{name.namespace}/</span>
          {name.name}
        </h1>
        <span class="kind">{name.kind}</span>
        {workload !== undefined && restartable.has(workload.kind) && (
          <ActionButton
            label="Restart rollout"
            action={{
              action: "restart",
              kind: workload.kind,
              namespace: name.namespace,
              name: name.name,
            }}
          />
        )}
      </div>
      {isScaledName(name) ? (
        <ScaledObjectView name={name} />
      ) : workload === undefined ? (
        <p class="empty">There is no such {name.kind} at this moment.</p>
      ) : (
        <Details workload={workload} />
      )}
    </div>
  );
}

function Details({ workload }: { readonly workload: Workload }): JSX.Element {
  const { shown, context } = useFrames(250);
  const owner = controllerOf(workload.object);
  const { namespace = "" } = workload.object.metadata;
  const rollout = workload.kind === "Deployment" ? rolloutView(workload.object, shown, context) : undefined;
  const roles = new Map(rollout?.revisions.map(({ replicaSet, role }) => [replicaSet, role]));
  return (
    <>
      {owner !== undefined && (
        <p>
          Controlled by{" "}
          {workloadNamed({ ...owner, namespace }, shown) === undefined ? (
            `${owner.kind} ${owner.name}`
          ) : (
            <a href={workloadHref({ kind: owner.kind, namespace, name: owner.name })}>
              {owner.kind} {owner.name}
            </a>
          )}
        </p>
      )}
      {workload.kind === "StatefulSet" && <StatefulPods statefulSet={workload.object} />}
      {workload.kind === "DaemonSet" && <DaemonNodes daemonSet={workload.object} />}
      {workload.kind === "Job" && <JobPods job={workload.object} />}
      {rollout !== undefined && <Rollout view={rollout} />}
      <ScalePanel workload={workload} pods={podsOfWorkload(workload, shown)} roles={roles} />
    </>
  );
}

function Rollout({ view }: { readonly view: ReturnType<typeof rolloutView> }): JSX.Element {
  return (
    <section aria-label="Rollout">
      <p class={view.headline.isWaiting ? "headline waits" : "headline"} aria-live="polite">
        {view.headline.text}
      </p>
      {view.replaced !== undefined && <p class="sentence waits">{view.replaced}</p>}
      <BudgetGauge view={view} />
      <RevisionTable view={view} />
    </section>
  );
}
