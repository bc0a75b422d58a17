import { deepEqual } from "../../api/deep-equal.ts";
import type { Deployment } from "../../api/generated/apps-v1.ts";
import type { Instant } from "../../api/time.ts";
import type { RolloutAction } from "../../decisions/rollout/action.ts";
import { annotationsOf, revisionAnnotation } from "../../decisions/rollout/annotations.ts";

/** How long the controller waits before it writes again what another writer has undone. */
const waitMs = 1000;

interface Write {
  readonly uid: string;
  readonly content: object;
  readonly at: Instant;
}

/**
 * What this controller has last written to each Deployment. Two copies of it of which one sees the ReplicaSets as they were, as
 * without leader election, undo each other's writes for as long as that takes; each then writes once a second, not at every event.
 */
export class UndoneWrites {
  readonly #last = new Map<string, Write>();

  /** When the actions may be applied, if they repeat what was written just now and has been undone since. */
  waitUntil(
    key: string,
    deployment: Deployment,
    { actions, now }: { readonly actions: readonly RolloutAction[]; readonly now: Instant },
  ): Instant | undefined {
    const last = this.#last.get(key);
    const next = writtenBy(actions);
    if (last === undefined || next === undefined || last.uid !== deployment.metadata.uid) return undefined;
    if (actions.some((action) => "replicaSet" in action)) return undefined; // a rollout goes on, whatever its status says
    const isRepeated =
      deepEqual(contentOf(next), last.content) && !deepEqual(contentOf(deployment), last.content);
    return isRepeated && now < last.at + waitMs ? last.at + waitMs : undefined;
  }

  /** Records that the actions were applied. */
  record(key: string, actions: readonly RolloutAction[], at: Instant): void {
    const written = writtenBy(actions);
    if (written === undefined) return;
    this.#last.set(key, { uid: written.metadata.uid, content: contentOf(written), at });
  }

  forget(key: string): void {
    this.#last.delete(key);
  }
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
