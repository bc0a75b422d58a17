import { describe, expect, test } from "vitest";
import type { StoredObject } from "../../src/api/object.ts";
import type { Resource } from "../../src/api/resource.ts";
import { pods } from "../../src/api/resources.ts";
import { createWhenAdmitted } from "./create-when-admitted.ts";
import { untilObject } from "../real-cluster/eventually.ts";
import { lws, lwsSetup } from "./lws.ts";
import { unusual } from "./refused-requests.ts";
import { useOperator } from "./use-operator.ts";

interface LeaderWorkerSet extends StoredObject {
  readonly spec: object;
  readonly status?: {
    readonly replicas?: number;
    readonly readyReplicas?: number;
    readonly updatedReplicas?: number;
  };
}

const namespace = "default";
const at = { namespace, name: "llm" };
const groups = 2;
const size = 4;

const specOf = (image: string) => ({
  replicas: groups,
  rolloutStrategy: { type: "RollingUpdate", rollingUpdateConfiguration: { maxUnavailable: 1 } },
  leaderWorkerTemplate: {
    size,
    restartPolicy: "RecreateGroupOnPodRestart",
    workerTemplate: { spec: { containers: [{ name: "model", image }] } },
  },
});

describe.runIf(process.env["TRIMTAB_OPERATORS"] === "all")("LeaderWorkerSet", () => {
  const operator = useOperator(lws, lwsSetup);

  test("groups of four are rolled, one after the other", { timeout: 600_000 }, async (context) => {
    const { cluster, refused } = operator(context);
    const { client } = cluster;
    const resource: Resource<LeaderWorkerSet> = await client.resource({
      group: "leaderworkerset.x-k8s.io",
      kind: "LeaderWorkerSet",
    });
    await createWhenAdmitted(client, resource, { metadata: at, spec: specOf("model:1") });
    const isRolledOut = ({ status }: LeaderWorkerSet) =>
      status?.readyReplicas === groups && status.updatedReplicas === groups && status.replicas === groups;
    const ready = await untilObject(client, resource, at, isRolledOut);
    const images = async () => {
      const list = await client.list(pods, {
        namespace,
        labelSelector: `leaderworkerset.sigs.k8s.io/name=llm`,
      });
      return new Map(list.items.map(({ metadata, spec }) => [metadata.name, spec.containers[0]?.image]));
    };
    const names = ["llm-0", "llm-0-1", "llm-0-2", "llm-0-3", "llm-1", "llm-1-1", "llm-1-2", "llm-1-3"];
    expect([...(await images()).keys()].toSorted()).toEqual(names);
    await client.update(resource, { ...ready, spec: specOf("model:2") });
    await untilObject(client, resource, at, (set) => set.status?.updatedReplicas === 1);
    const halfway = await images();
    expect([halfway.get("llm-1"), halfway.get("llm-0"), halfway.get("llm-0-1")]).toEqual([
      "model:2",
      "model:1",
      "model:1",
    ]);
    await untilObject(client, resource, at, isRolledOut);
    expect(await images()).toEqual(new Map(names.map((name) => [name, "model:2"])));
    expect(unusual(refused())).toEqual([]);
  });
});
