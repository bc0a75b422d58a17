import { expect, test } from "vitest";
import { deployments, replicaSets } from "../../api/resources.ts";
import { planRollout } from "../../decisions/rollout/plan-rollout.ts";
import type { RolloutState } from "../../decisions/rollout/state.ts";
import type { DeploymentTraits } from "../../testing/deployment.ts";
import { apiFailure } from "../../machinery/client/api-error.ts";
import { collectingRecorder } from "../../testing/collecting-recorder.ts";
import { rolloutState } from "../../testing/rollout-state.ts";
import { ScriptedApi } from "../../testing/scripted-api.ts";
import { applyActions } from "./apply-actions.ts";

/** The stored Deployment `web`, of which no ReplicaSet has been seen, and how a plan for it is applied. */
async function startFixture(traits: DeploymentTraits = {}) {
  const api = new ScriptedApi();
  const events = collectingRecorder();
  const drafted = rolloutState(traits, []);
  const state: RolloutState = { ...drafted, deployment: await api.create(deployments, drafted.deployment) };
  const { deployment } = state;
  const { signal } = new AbortController();
  const context = { deployment, client: api, events, wrote: () => undefined, versions: new Map(), signal };
  return { api, events, state, pass: () => applyActions(planRollout(state), state, context) };
}

test("a failed creation is an event even if the condition cannot be written", async () => {
  const { api, events, pass } = await startFixture();
  api.failures.push(apiFailure(403, "Forbidden", "exceeded quota"), apiFailure(409, "Conflict"));
  await expect(pass()).rejects.toThrow("exceeded quota");
  expect(events.events.map(({ reason }) => reason)).toEqual(["ReplicaSetCreateError"]);
});

const paused = { type: "Progressing", status: "Unknown", reason: "DeploymentPaused" };

test("a sync goes on from what it has written when the ReplicaSet it creates exists already", async () => {
  const { api, state, pass } = await startFixture({ status: { conditions: [paused] } });
  const [resumption, creation] = planRollout(state).actions;
  expect(resumption).toMatchObject({ kind: "update-status" });
  if (creation?.kind !== "create-replica-set") throw new Error("nothing is created");
  await api.create(replicaSets, creation.replicaSet);
  await pass();
  const [stored] = api.stored(deployments);
  expect(stored?.status?.conditions).toMatchObject([
    { type: "Progressing", reason: "DeploymentResumed" },
    { type: "Available" },
  ]);
});
