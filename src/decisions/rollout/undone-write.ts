import { deepEqual } from "../../api/deep-equal.ts";
import type { Deployment } from "../../api/generated/apps-v1.ts";
import type { Instant } from "../../api/time.ts";
import type { RolloutAction } from "./action.ts";
import { annotationsOf, revisionAnnotation } from "./annotations.ts";

/** How long the controller waits before it writes again what another writer has undone. */
const waitMs = 1000;

/** What the controller has written to a Deployment. */
export interface DeploymentWrite {
  readonly uid: string;
  readonly content: object;
  readonly at: Instant;
}

/** What the actions have written to the Deployment, if they were applied at this time. */
export function deploymentWriteOf(
  actions: readonly RolloutAction[],
  at: Instant,
): DeploymentWrite | undefined {
  const written = writtenBy(actions);
  return written && { uid: written.metadata.uid, content: contentOf(written), at };
}

/**
 * When the actions may be applied, if they repeat what was written just now and has been undone since. Two copies of the
 * controller of which one sees the ReplicaSets as they were, as without leader election, undo each other's writes for as
 * long as that takes; each then writes once a second, not at every event.
 */
export function waitToRepeat(
  last: DeploymentWrite | undefined,
  deployment: Deployment,
  { actions, now }: { readonly actions: readonly RolloutAction[]; readonly now: Instant },
): Instant | undefined {
  const next = writtenBy(actions);
  if (last === undefined || next === undefined || last.uid !== deployment.metadata.uid) return undefined;
  if (actions.some((action) => "replicaSet" in action)) return undefined; // a rollout goes on, whatever its status says
  const isRepeated =
    deepEqual(contentOf(next), last.content) && !deepEqual(contentOf(deployment), last.content);
  return isRepeated && now < last.at + waitMs ? last.at + waitMs : undefined;
}

function writtenBy(actions: readonly RolloutAction[]): Deployment | undefined {
  const write = actions.findLast(({ kind }) => kind === "update-status" || kind === "update-deployment");
  return write !== undefined && "deployment" in write ? write.deployment : undefined;
}

/** The revision and the status without the times of its conditions, which differ from write to write. */
function contentOf(deployment: Deployment): object {
  const { conditions = [], ...counts } = deployment.status ?? {};
  const revision = annotationsOf(deployment)[revisionAnnotation];
  const said = conditions.map(({ type, status, reason, message }) => ({ type, status, reason, message }));
  return { revision, counts, conditions: said };
}
