import type { Deployment, ReplicaSet } from "../api/generated/apps-v1.ts";
import type { JsonObject } from "../api/json.ts";
import { controllerOf } from "../api/owner-references.ts";
import { deployments, replicaSets } from "../api/resources.ts";
import { hasTemplate } from "../decisions/rollout/pod-template.ts";
import { lastRevision, revisionNumberOf } from "../decisions/rollout/revision-history.ts";
import { restored } from "../decisions/rollout/rollback.ts";
import { apiFailure } from "../machinery/client/api-error.ts";
import type { ActionEnvironment, ActionOutcome } from "./action-outcome.ts";
import type { ActionNamed } from "./user-action.ts";

/** Restores the template of an earlier revision of a Deployment, as `kubectl rollout undo` does. */
export async function undoRollout(
  { kind, namespace, name, toRevision = 0 }: ActionNamed<"undo">,
  { client, signal }: ActionEnvironment,
): Promise<ActionOutcome> {
  if (kind !== deployments.kind) throw apiFailure(400, "BadRequest", `no rollbacker for ${kind} ${name}`);
  const deployment = await client.get(deployments, { namespace, name }, signal);
  if (deployment.spec.paused === true)
    throw apiFailure(400, "BadRequest", `deployment "${name}" is paused: resume it before it is rolled back`);
  const { items } = await client.list(replicaSets, { namespace }, signal);
  const owned = items.filter((each) => controllerOf(each)?.uid === deployment.metadata.uid);
  const source = revisionIn(owned, BigInt(toRevision), deployment);
  const object = `deployment.apps/${name}`;
  if (hasTemplate(source, deployment.spec.template))
    return { done: [`${object} skipped rollback (current template already matches)`], refused: [] };
  const { metadata, spec } = restored(deployment, source);
  const operations = [
    { op: "replace", path: "/spec/template", value: spec.template as JsonObject },
    { op: "add", path: "/metadata/annotations", value: metadata.annotations as JsonObject },
  ];
  await client.patch(deployments, { namespace, name }, { type: "json", operations, signal });
  return { done: [`${object} rolled back`], refused: [] };
}

/** The ReplicaSet of a revision; 0: of the one before. */
function revisionIn(owned: readonly ReplicaSet[], to: bigint, { metadata }: Deployment): ReplicaSet {
  const revision = to === 0n ? lastRevision(owned) : to;
  const source = owned.find((each) => revision > 0n && revisionNumberOf(each) === revision);
  if (source !== undefined) return source;
  const what = to === 0n ? "no earlier revision" : `no revision ${to}`;
  throw apiFailure(404, "NotFound", `deployment "${metadata.name}" has ${what} to roll back to`);
}
