import { describe, test } from "vitest";
import { configMaps, deployments } from "../../src/api/resources.ts";
import { makeNamespace } from "../embedded-cluster.ts";
import { useClient } from "./client-fixture.ts";
import { startClient } from "./client-process.ts";
import { describeWatching } from "./describe-client.ts";
import { buildControllerRuntime, programIn } from "./tools.ts";

describe("controller-runtime", () => {
  const use = useClient(buildControllerRuntime, (folder) => [programIn(folder)]);
  describeWatching(use);

  test("a controller with a Lease keeps a Deployment for each ConfigMap, until that is gone", async (context) => {
    const { cluster, program } = use(context);
    const { client } = cluster;
    const namespace = "reconciling";
    await makeNamespace(client, namespace);
    const says = startClient(program, "reconcile", namespace);
    const sized = (size: string) => ({ name: "web", namespace, labels: { size } });
    const created = await client.create(configMaps, { metadata: sized("2") });
    await says("created web 2\n");
    await says("available web 2\n");
    await client.update(configMaps, { ...created, metadata: { ...created.metadata, labels: { size: "3" } } });
    await says("updated web 3\n");
    await says("available web 3\n");
    const gone = new AbortController();
    for await (const { type } of client.watch(deployments, { namespace }, gone.signal)) {
      if (type === "ADDED") await client.delete(configMaps, { namespace, name: "web" });
      if (type === "DELETED") return;
    }
    throw new Error("the watch ended before the Deployment was deleted");
  });
});
