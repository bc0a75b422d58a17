import type {
  HorizontalPodAutoscaler,
  HorizontalPodAutoscalerStatus,
} from "../../api/generated/autoscaling-v2.ts";
import { messageOf } from "../../api/message-of.ts";
import { keyOf, type StoredObject } from "../../api/object.ts";
import { horizontalPodAutoscalers } from "../../api/resources.ts";
import { semanticEqual } from "../../api/schema/semantic-equality.ts";
import { afterFailedRescale, afterRescale } from "../../decisions/autoscaling/after-rescale.ts";
import type { AutoscalingPlan, ScaleTarget } from "../../decisions/autoscaling/autoscaling-plan.ts";
import { planAutoscaling } from "../../decisions/autoscaling/plan-autoscaling.ts";
import type { ScalingHistory } from "../../decisions/autoscaling/scaling-history.ts";
import { ApiError } from "../../machinery/client/api-error.ts";
import { type ControllerSpec, done, watching } from "../../machinery/controller.ts";
import { referenceTo } from "../../machinery/events/event-draft.ts";
import { ReadYourWrites } from "../../machinery/read-your-writes.ts";
import type { AutoscalerDependencies } from "./dependencies.ts";
import { type ReadScale, readDescribed, readScale, writeReplicas } from "./scale-target.ts";
import { type PodSelections, podSelections } from "./select-pods.ts";

/** How often an autoscaler looks at its metrics (upstream: --horizontal-pod-autoscaler-sync-period). */
const syncPeriodMs = 15_000;

/** What the controller remembers of an autoscaler. */
interface Memory {
  readonly uid: string;
  readonly history: ScalingHistory | undefined;
}

/** Scales workloads by their metrics, every 15 seconds. */
export function horizontalPodAutoscalerController(deps: AutoscalerDependencies): ControllerSpec {
  const { client, clock, autoscalers, pods, events, log } = deps;
  const selections = podSelections(pods);
  const memories = new Map<string, Memory>();
  const readYourWrites = new ReadYourWrites([autoscalers]);

  return {
    name: "horizontal-pod-autoscaler",
    workers: 5,
    watches: [
      // Changes are handled in the next period: an autoscaler's own status writes must not trigger a sync.
      watching(autoscalers, (queue) => ({
        added: (autoscaler) => queue.addAfter(keyOf(autoscaler), syncPeriodMs),
      })),
      pods,
    ],
    written: readYourWrites,

    async reconcile(key, signal) {
      const autoscaler = autoscalers.get(key);
      if (autoscaler === undefined) {
        memories.delete(key);
        selections.forget(key);
        readYourWrites.forget(key);
        return done;
      }
      const { uid } = autoscaler.metadata;
      const found = await readScale(client, autoscaler, signal);
      const described = await describedObjects(deps, autoscaler, signal);
      const known = memories.get(key);
      const now = clock.now();
      const target = targetOf(found, autoscaler, selections);
      const metrics = deps.metrics({ autoscaler, pods: podsOf(target), described, now });
      const history = known?.uid === uid ? known.history : undefined;
      const planned = planAutoscaling({ autoscaler, target, metrics, history, now });
      const plan = await rescale(planned, found, { deps, autoscaler, signal });
      memories.set(key, { uid, history: plan.history });
      if (plan.rescale !== undefined)
        log.info("rescaled", { autoscaler: key, ...plan.rescale, because: plan.because.rule });
      const regarding = referenceTo(horizontalPodAutoscalers, autoscaler);
      for (const notice of plan.notices) events.record({ regarding, ...notice });
      const written = await writeStatus(plan.status, { deps, autoscaler, signal });
      if (written !== undefined)
        readYourWrites.record({ key, uid }, horizontalPodAutoscalers, written.metadata.resourceVersion);
      return { requeueAfterMs: syncPeriodMs };
    },
  };
}

interface SyncContext {
  readonly deps: AutoscalerDependencies;
  readonly autoscaler: HorizontalPodAutoscaler;
  readonly signal: AbortSignal;
}

function targetOf(
  found: ReadScale,
  autoscaler: HorizontalPodAutoscaler,
  selections: PodSelections,
): ScaleTarget {
  if (found.kind === "failed") return found;
  const { spec, status } = found.scale;
  const { namespace = "" } = autoscaler.metadata;
  return {
    kind: "scale",
    currentReplicas: spec?.replicas ?? 0,
    statusReplicas: status?.replicas ?? 0,
    selected: selections.select(keyOf(autoscaler), namespace, status?.selector ?? ""),
  };
}

function podsOf(target: ScaleTarget) {
  return target.kind === "scale" && target.selected.kind === "pods" ? target.selected.pods : [];
}

/** Reads what Object metrics describe before anything is decided. */
async function describedObjects(
  { client }: AutoscalerDependencies,
  { spec, metadata: { namespace } }: HorizontalPodAutoscaler,
  signal: AbortSignal,
): Promise<(kind: string, name: string) => StoredObject | undefined> {
  const found = new Map<string, StoredObject>();
  for (const { object } of spec.metrics ?? []) {
    if (object === undefined) continue;
    const { describedObject: reference } = object;
    const described = await readDescribed(client, { reference, namespace }, signal);
    if (described !== undefined) found.set(`${reference.kind}/${reference.name}`, described);
  }
  return (kind, name) => found.get(`${kind}/${name}`);
}

/** Rescales the target as planned; resolves to the plan with the result. */
async function rescale(
  plan: AutoscalingPlan,
  found: ReadScale,
  { deps, autoscaler, signal }: SyncContext,
): Promise<AutoscalingPlan> {
  if (plan.rescale === undefined || found.kind === "failed") return plan;
  const { client, clock } = deps;
  try {
    await writeReplicas(client, found, { replicas: plan.rescale.to, signal });
    return afterRescale(plan, plan.rescale, { autoscaler, now: clock.now() });
  } catch (error) {
    // The status reports a refusal; a lost connection is retried.
    if (!(error instanceof ApiError)) throw error;
    const { rescale: failed, ...rest } = plan;
    return afterFailedRescale(rest, failed, { autoscaler, now: clock.now(), problem: messageOf(error) });
  }
}

async function writeStatus(
  status: HorizontalPodAutoscalerStatus,
  { deps, autoscaler, signal }: SyncContext,
): Promise<HorizontalPodAutoscaler | undefined> {
  const type = "autoscaling.v2.HorizontalPodAutoscalerStatus";
  if (semanticEqual(type, autoscaler.status ?? {}, status)) return undefined;
  return deps.client.update(
    horizontalPodAutoscalers,
    { ...autoscaler, status },
    { subresource: "status", signal },
  );
}
