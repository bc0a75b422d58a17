import { expect, test } from "vitest";
import type { StoredObject } from "../../src/api/object.ts";
import type { Resource } from "../../src/api/resource.ts";
import { pods } from "../../src/api/resources.ts";
import type { Client } from "../../src/machinery/client/client.ts";
import { untilObject } from "../real-cluster/eventually.ts";
import { createWhenAdmitted } from "./create-when-admitted.ts";
import { kuberay, kuberaySetup } from "./kuberay.ts";
import { unusual } from "./refused-requests.ts";
import { useOperator } from "./use-operator.ts";

interface RayCluster extends StoredObject {
  readonly spec: object;
  readonly status?: { readonly state?: string; readonly readyWorkerReplicas?: number };
}

const operator = useOperator(kuberay, kuberaySetup);
const namespace = "default";

const template = (name: string) => ({ spec: { containers: [{ name, image: "ray" }] } });
const specOf = (workers: object) => ({
  rayVersion: "2.46.0",
  headGroupSpec: { rayStartParams: {}, template: template("head") },
  workerGroupSpecs: [
    {
      groupName: "small",
      minReplicas: 0,
      maxReplicas: 10,
      rayStartParams: {},
      template: template("worker"),
      ...workers,
    },
  ],
});

const rayClusters = (client: Client): Promise<Resource<RayCluster>> =>
  client.resource({ group: "ray.io", kind: "RayCluster" });

const isReadyWith =
  (workers: number) =>
  ({ status }: RayCluster) =>
    status?.state === "ready" && status.readyWorkerReplicas === workers;

test("a RayCluster scales down the workers it names", { timeout: 600_000 }, async (context) => {
  const { cluster, refused } = operator(context);
  const { client } = cluster;
  const resource = await rayClusters(client);
  const at = { namespace, name: "ray" };
  await createWhenAdmitted(client, resource, { metadata: at, spec: specOf({ replicas: 5 }) });
  const ready = await untilObject(client, resource, at, isReadyWith(5));
  /** Those that nobody has deleted. */
  const workers = async () => {
    const { items } = await client.list(pods, { namespace, labelSelector: "ray.io/node-type=worker" });
    return items
      .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
      .map(({ metadata }) => metadata.name)
      .toSorted();
  };
  const [first = "", second = "", third = "", ...others] = await workers();
  const scaleStrategy = { workersToDelete: [first, third] };
  await client.update(resource, { ...ready, spec: specOf({ replicas: 3, scaleStrategy }) });
  await untilObject(client, resource, at, isReadyWith(3));
  expect(await workers()).toEqual([second, ...others]);
  expect(unusual(refused())).toEqual([]);
});

test("its webhook refuses two groups of one name", { timeout: 600_000 }, async (context) => {
  const { client } = operator(context).cluster;
  const resource = await rayClusters(client);
  const spec = specOf({ replicas: 1 });
  const twice = { ...spec, workerGroupSpecs: [...spec.workerGroupSpecs, ...spec.workerGroupSpecs] };
  await expect(
    client.create(resource, { metadata: { namespace, name: "twice" }, spec: twice }),
  ).rejects.toThrow(/vraycluster\.kb\.io.* worker group names must be unique/);
});
