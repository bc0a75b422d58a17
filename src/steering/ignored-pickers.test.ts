import { expect, test } from "vitest";
import type { Deployment, ReplicaSet } from "../api/generated/apps-v1.ts";
import type { EventDraft } from "../machinery/events/event-draft.ts";
import { deployment } from "../testing/deployment.ts";
import { replicaSet } from "../testing/replica-set.ts";
import type { SteeringDependencies } from "./dependencies.ts";
import { ignoredPickersControllers } from "./ignored-pickers.ts";

const annotations = { "trimtab.dev/downscale-pod-picker": '{"http":{"host":"picker","port":80}}' };
const order = { "trimtab.dev/removal-order": "trimtab" };

/** Reconciles each workload twice, and returns the events as `kind name: message`. */
async function said(
  workloads: { deployment?: Deployment; replicaSet?: ReplicaSet },
  pickers?: SteeringDependencies["pickers"],
): Promise<readonly string[]> {
  const recorded: EventDraft[] = [];
  const controllers = ignoredPickersControllers({
    deployments: { get: () => workloads.deployment },
    replicaSets: { get: () => workloads.replicaSet },
    events: { record: (draft: EventDraft) => recorded.push(draft) },
    pickers,
  } as unknown as SteeringDependencies);
  const { signal } = new AbortController();
  for (const controller of [...controllers, ...controllers])
    await controller.reconcile("default/web", signal);
  return recorded.map(({ regarding, message }) => `${regarding.kind} ${regarding.name}: ${message}`);
}

const off = /pod pickers are switched off in this cluster/;
const asked = {} as NonNullable<SteeringDependencies["pickers"]>;
const withAnnotations = (object: Deployment, added: Readonly<Record<string, string>>): Deployment => ({
  ...object,
  metadata: { ...object.metadata, annotations: added },
});
const web = withAnnotations(deployment("web"), annotations);

test("a Deployment with a picker is told once that pickers are switched off, and its ReplicaSets are not", async () => {
  const owned = replicaSet("web", { owner: "web", annotations });
  expect(await said({ deployment: web, replicaSet: owned })).toEqual([
    expect.stringMatching(/^Deployment web: /),
  ]);
});

test("a ReplicaSet without a Deployment is told itself", async () => {
  const told = await said({ replicaSet: replicaSet("web", { annotations }) });
  expect(told).toEqual([expect.stringMatching(off)]);
});

test("nobody is told who has no picker, nor where pickers are asked", async () => {
  expect(await said({ deployment: withAnnotations(web, order) })).toEqual([]);
  expect(await said({ deployment: web }, asked)).toEqual([]);
});
