import { messageOf } from "../../api/message-of.ts";
import { deletionAgeRatios } from "../../decisions/downscale/age-ratio.ts";
import type { DecidedPod } from "../../decisions/downscale/reason.ts";
import type { FailureReason, ManageOutcome } from "../../decisions/replicas/replica-failure.ts";
import type { ReplicaOwner } from "../../decisions/replicas/replica-owner.ts";
import { createPods } from "./create-pods.ts";
import type { Decision, Removal } from "./decide.ts";
import { deletePods } from "./delete-pods.ts";
import type { SyncContext } from "./sync-context.ts";

/** What came of a decision, for the status; and the error to be thrown once that is written. */
export interface Applied {
  readonly managed: ManageOutcome;
  readonly error?: unknown;
}

/** Carries out a decision. */
export async function applyActions<T extends ReplicaOwner>(
  decision: Decision,
  errand: SyncContext<T>,
): Promise<Applied> {
  switch (decision.kind) {
    case "skip":
      return { managed: { kind: "skipped" } };
    case "rest":
      return { managed: { kind: "succeeded" } };
    case "create":
      return outcomeOf("FailedCreate", await createPods(decision.count, errand));
    case "delete":
      putOnRecord(decision.removal, errand);
      return outcomeOf("FailedDelete", await deletePods(decision.removal.choice.victims, errand));
  }
}

function outcomeOf(reason: FailureReason, error: unknown): Applied {
  if (error === undefined) return { managed: { kind: "succeeded" } };
  return { managed: { kind: "failed", reason, message: messageOf(error) }, error };
}

/** Events may be dropped where there are many; the record and the metrics are complete. */
function putOnRecord<T extends ReplicaOwner>(
  removal: Removal,
  { owner, kind, records, metrics }: SyncContext<T>,
): void {
  const { namespace = "", name, uid } = owner.metadata;
  records.add({ ...removal, workload: { kind: kind.resource.kind, namespace, name, uid } });

  const { victims, survivors } = removal.choice;
  for (const { because } of victims) metrics.removed(because?.rule ?? "all");
  if (survivors.length === 0) return;
  const going = podsOf(victims);
  const ratios = deletionAgeRatios(going, [...going, ...podsOf(survivors)], removal.facts.now);
  for (const ratio of ratios) metrics.ageRatio(ratio);
}

const podsOf = (judged: readonly DecidedPod[]) => judged.map(({ pod }) => pod);
