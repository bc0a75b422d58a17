import { expect, test } from "vitest";
import { deployments, namespaces, replicaSets } from "../../api/resources.ts";
import { planRollout } from "../../decisions/rollout/plan-rollout.ts";
import type { RolloutState } from "../../decisions/rollout/state.ts";
import type { DeploymentTraits } from "../../testing/deployment.ts";
import { apiFailure } from "../../machinery/client/api-error.ts";
import { collectingRecorder } from "../../testing/collecting-recorder.ts";
import { rolloutState } from "../../testing/rollout-state.ts";
import { testApi } from "../../testing/test-api.ts";
import { applyRolloutActions } from "./apply-actions.ts";

/** The stored Deployment `web`, of which no ReplicaSet has been seen, and how a plan for it is applied. */
async function startFixture(traits: DeploymentTraits = {}) {
  const { client, failNext } = testApi();
  const events = collectingRecorder();
  const drafted = rolloutState(traits, []);
  const { spec, status = {}, metadata } = drafted.deployment;
  const { name, namespace = "default" } = metadata;
  await client.create(namespaces, { metadata: { name: namespace }, spec: {} });
  const created = await client.create(deployments, { metadata: { name, namespace }, spec });
  const deployment = await client.update(deployments, { ...created, status }, { subresource: "status" });
  const state: RolloutState = { ...drafted, deployment };
  const { signal } = new AbortController();
  const context = { deployment, client, events, wrote: () => undefined, versions: new Map(), signal };
  const pass = () => applyRolloutActions(planRollout(state), state, context);
  return { client, failNext, events, state, pass };
}

test("a failed creation is an event even if the condition cannot be written", async () => {
  const { failNext, events, pass } = await startFixture();
  failNext(apiFailure(403, "Forbidden", "exceeded quota"), apiFailure(409, "Conflict"));
  await expect(pass()).rejects.toThrow("exceeded quota");
  expect(events.events.map(({ reason }) => reason)).toEqual(["ReplicaSetCreateError"]);
});

const paused = { type: "Progressing", status: "Unknown", reason: "DeploymentPaused" };

test("a sync goes on from what it has written when the ReplicaSet it creates exists already", async () => {
  const { client, state, pass } = await startFixture({ status: { conditions: [paused] } });
  const [resumption, creation] = planRollout(state).actions;
  expect(resumption).toMatchObject({ kind: "update-status" });
  if (creation?.kind !== "create-replica-set") throw new Error("nothing is created");
  await client.create(replicaSets, creation.replicaSet);
  await pass();
  const { status } = await client.get(deployments, state.deployment.metadata);
  expect(status?.conditions).toMatchObject([
    { type: "Progressing", reason: "DeploymentResumed" },
    { type: "Available" },
  ]);
});
