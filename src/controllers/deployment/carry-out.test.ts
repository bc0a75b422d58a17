import { expect, test } from "vitest";
import { deployments } from "../../api/resources.ts";
import type { RolloutState } from "../../decisions/rollout/state.ts";
import type { DeploymentTraits } from "../../testing/deployment.ts";
import { collectingRecorder, failure, FakeApi, rolloutState } from "../../testing/index.ts";
import { carryOut } from "./carry-out.ts";

/** The stored Deployment `web`, of which no ReplicaSet has been seen, and how a pass over it is carried out. */
async function world(traits: DeploymentTraits = {}) {
  const api = new FakeApi();
  const events = collectingRecorder();
  const drafted = rolloutState(traits, []);
  const state: RolloutState = { ...drafted, deployment: await api.create(deployments, drafted.deployment) };
  const { deployment } = state;
  const { signal } = new AbortController();
  const errand = { deployment, client: api, events, wrote: () => undefined, signal };
  return { api, events, pass: () => carryOut(state, errand) };
}

test("people hear of a refused creation even if it cannot be written down", async () => {
  const { api, events, pass } = await world();
  api.failures.push(failure(403, "Forbidden", "exceeded quota"), failure(409, "Conflict"));
  await expect(pass()).rejects.toThrow("exceeded quota");
  expect(events.notes.map(({ reason }) => reason)).toEqual(["ReplicaSetCreateError"]);
});
