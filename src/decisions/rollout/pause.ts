import type { RolloutAction } from "./action.ts";
import { conditionsOf, deadlineOf, progressing, progressingOf, setCondition } from "./conditions.ts";
import type { RolloutState } from "./state.ts";

/** Notes that a Deployment was paused or resumed, so that time spent paused does not count towards its deadline. */
export function recordPause({ deployment, now }: RolloutState): readonly RolloutAction[] {
  const reason = progressingOf(deployment.status)?.reason;
  // A rollout that was found stuck stays so while paused.
  if (deadlineOf(deployment) === undefined || reason === "ProgressDeadlineExceeded") return [];
  const isPaused = deployment.spec.paused === true;
  if (isPaused === (reason === "DeploymentPaused")) return [];
  const news = isPaused
    ? progressing("DeploymentPaused", "Deployment is paused", now)
    : progressing("DeploymentResumed", "Deployment is resumed", now);
  const conditions = setCondition(conditionsOf(deployment.status), news);
  return [
    { kind: "update-status", deployment: { ...deployment, status: { ...deployment.status, conditions } } },
  ];
}
