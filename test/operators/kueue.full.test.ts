import { describe, expect, test } from "vitest";
import type { StoredObject } from "../../src/api/object.ts";
import type { Resource } from "../../src/api/resource.ts";
import { jobs } from "../../src/api/resources.ts";
import { eventually, untilObject } from "../real-cluster/eventually.ts";
import { createWhenAdmitted } from "./create-when-admitted.ts";
import { kueue, kueueSetup } from "./kueue.ts";
import { unusual } from "./refused-requests.ts";
import { useOperator } from "./use-operator.ts";

interface Queueing extends StoredObject {
  readonly spec: object;
}

const namespace = "default";

/** A Job that asks for all that the queue has. */
const jobOf = (name: string, completeAfter: string) => ({
  metadata: { namespace, name, labels: { "kueue.x-k8s.io/queue-name": "team" } },
  spec: {
    template: {
      metadata: { annotations: { "sim.trimtab.dev/completeAfter": completeAfter } },
      spec: {
        restartPolicy: "Never" as const,
        containers: [{ name: "train", image: "train", resources: { requests: { cpu: "2" } } }],
      },
    },
  },
});

describe.runIf(process.env["TRIMTAB_OPERATORS"] === "all")("Kueue", () => {
  const operator = useOperator(kueue, kueueSetup);

  test("a queue admits a Job when quota is freed", { timeout: 600_000 }, async (context) => {
    const { cluster, refused } = operator(context);
    const { client } = cluster;
    const kind = (name: string): Promise<Resource<Queueing>> =>
      client.resource({ group: "kueue.x-k8s.io", kind: name, version: "v1beta1" });
    await createWhenAdmitted(client, await kind("ResourceFlavor"), { metadata: { name: "plain" }, spec: {} });
    const flavors = [{ name: "plain", resources: [{ name: "cpu", nominalQuota: "2" }] }];
    const resourceGroups = [{ coveredResources: ["cpu"], flavors }];
    await createWhenAdmitted(client, await kind("ClusterQueue"), {
      metadata: { name: "all" },
      spec: { namespaceSelector: {}, resourceGroups },
    });
    await createWhenAdmitted(client, await kind("LocalQueue"), {
      metadata: { namespace, name: "team" },
      spec: { clusterQueue: "all" },
    });
    await createWhenAdmitted(client, jobs, jobOf("first", "never"));
    await untilObject(client, jobs, { namespace, name: "first" }, (job) => job.status?.ready === 1);
    const second = await createWhenAdmitted(client, jobs, jobOf("second", "1s"));
    // The webhook suspends it, whose answer the API server waits for.
    expect(second.spec.suspend).toBe(true);
    const workloads = await kind("Workload");
    await eventually("the queue says what the second Job waits for", async () => {
      const { items } = await client.list(workloads, { namespace });
      return JSON.stringify(items).includes("insufficient unused quota") || undefined;
    });
    expect((await client.get(jobs, { namespace, name: "second" })).spec.suspend).toBe(true);
    await client.delete(jobs, { namespace, name: "first" }, { propagationPolicy: "Background" });
    await untilObject(client, jobs, { namespace, name: "second" }, (job) => job.status?.succeeded === 1);
    expect(unusual(refused())).toEqual([]);
  });
});
