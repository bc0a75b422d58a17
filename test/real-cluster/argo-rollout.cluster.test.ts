import { afterAll, beforeAll, expect, test } from "vitest";
import type { CustomResourceDefinition } from "../../src/api/generated/apiextensions-v1.ts";
import type { Draft } from "../../src/api/object.ts";
import { controllerReference } from "../../src/api/owner-references.ts";
import { isActive } from "../../src/api/pod-state.ts";
import { customResourceDefinitions, events, pods, replicaSets } from "../../src/api/resources.ts";
import { argoRollouts } from "../../src/decisions/stock/argo-rollout.ts";
import { looseReplicaSet } from "../deployment/builders.ts";
import { makeNamespace } from "../embedded-cluster.ts";
import { collect, operators, publishedFiles } from "../published-definitions/operators.ts";
import { changePods } from "./change-pods.ts";
import { eventually } from "./eventually.ts";
import { type RealCluster, startRealCluster } from "./real-cluster.ts";
import { prepareSteer, startSteer } from "./steer-program.ts";

const namespace = "shop";
const wishes = {
  "trimtab.dev/removal-order": "trimtab",
  "trimtab.dev/pod-replacement-policy": "TerminationComplete",
};

let cluster: RealCluster;
beforeAll(async () => {
  cluster = await startRealCluster({ controllers: "all", nodes: 3 });
  await startSteer(await prepareSteer(cluster));
});
afterAll(() => cluster.stop());

/** The definition that Argo publishes; `undefined` where it cannot be had. */
async function publishedRollout(): Promise<Draft<CustomResourceDefinition> | undefined> {
  const argo = operators.find(({ name }) => name === "argo-rollouts");
  const collected = argo && (await collect(argo));
  if (collected === undefined || "missing" in collected) return undefined;
  const objects = publishedFiles(collected.folder, "definitions").flatMap(({ objects: each }) => each);
  return (objects as unknown as CustomResourceDefinition[]).find(
    ({ metadata }) => metadata.name === "rollouts.argoproj.io",
  );
}

const namesOf = async () =>
  (await cluster.client.list(pods, { namespace })).items
    .filter(isActive)
    .map(({ metadata }) => metadata.name)
    .toSorted();

test("a ReplicaSet of an Argo Rollout loses the Pods that were decided, and grows by the surge of its canary", async ({
  skip,
}) => {
  const definition = await publishedRollout();
  if (definition === undefined) return skip("skipped: the module of Argo Rollouts cannot be had");
  const { client } = cluster;
  await makeNamespace(client, namespace);
  await client.create(customResourceDefinitions, definition);
  const draft = looseReplicaSet("web", {
    replicas: 6,
    startsIn: "50ms",
    endsIn: "300ms",
    annotations: wishes,
  });
  const rollout = await eventually("a Rollout", () =>
    client
      .create(argoRollouts, {
        metadata: { namespace, name: "web", annotations: wishes },
        spec: {
          replicas: 6,
          selector: draft.spec.selector,
          ...(draft.spec.template && { template: draft.spec.template }),
          strategy: { canary: { maxSurge: 2 } },
        },
      })
      .catch(() => undefined),
  );
  // As its controller makes it: the annotations of the Rollout are copied.
  const ownerReferences = [controllerReference(argoRollouts, rollout)];
  const desired = (replicas: number) => ({ "rollout.argoproj.io/desired-replicas": String(replicas) });
  const at = { namespace, name: "web" };
  await client.create(replicaSets, {
    ...draft,
    metadata: { ...draft.metadata, ...at, annotations: { ...wishes, ...desired(6) }, ownerReferences },
  });
  await eventually("six Pods", async () =>
    (await client.get(replicaSets, at)).status?.availableReplicas === 6 ? true : undefined,
  );
  const all = await namesOf();
  const meant = all.filter((_, index) => index % 3 === 1);
  await changePods(
    client,
    { namespace, names: meant },
    { labels: { "kubernetes.io/prefer-for-scale-down": "" } },
  );
  const asked = await client.patch(replicaSets, at, {
    type: "merge",
    body: { metadata: { annotations: desired(4) }, spec: { replicas: 4 } },
  });
  expect([asked.spec.replicas, asked.metadata.annotations]).toEqual([6, expect.objectContaining(desired(6))]);
  await eventually("four Pods", async () => ((await namesOf()).length === 4 ? true : undefined));
  expect(await namesOf()).toEqual(all.filter((name) => !meant.includes(name)));
  await eventually("nobody who terminates", async () =>
    (await client.list(pods, { namespace })).items.length === 4 ? true : undefined,
  );
  const grown = await client.patch(replicaSets, at, { type: "merge", body: { spec: { replicas: 12 } } });
  expect(grown.spec.replicas).toBe(8);
  const said = await eventually("the event", async () =>
    (await client.list(events, { namespace })).items.find(({ reason }) => reason === "GrowthCapped"),
  );
  expect([said.involvedObject.kind, said.involvedObject.name]).toEqual(["Rollout", "web"]);
});
