import { describe, expect, test } from "vitest";
import { configMaps, deployments } from "../../src/api/resources.ts";
import { makeNamespace } from "../embedded-cluster.ts";
import { useClient } from "./client-fixture.ts";
import { startClient } from "./client-process.ts";
import { describeApplying, describeWatching } from "./describe-client.ts";
import { buildControllerRuntime, programIn } from "./tools.ts";
import { defineWidgets, widget, widgets } from "./widgets.ts";

describe("controller-runtime", () => {
  const use = useClient(buildControllerRuntime, (folder) => [programIn(folder)]);
  describeWatching(use);
  describeApplying(use);

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

  test("a controller of a custom kind writes its status, owns objects and holds it back by a finalizer", async (context) => {
    const { cluster, program } = use(context);
    const { client } = cluster;
    const namespace = "widgets";
    await makeNamespace(client, namespace);
    await defineWidgets(client);
    const says = startClient(program, "widgets", namespace);
    await client.create(widgets, widget(namespace, "one", 3));
    await says("painted one red 3\n");
    const painted = await client.get(widgets, { namespace, name: "one" });
    expect(painted.status?.size).toBe(3);
    expect(painted.status?.conditions).toMatchObject([{ type: "Painted", status: "True" }]);
    expect(painted.metadata.generation).toBe(1);
    const ended = new AbortController();
    for await (const event of client.watch(configMaps, { namespace }, ended.signal)) {
      if (event.type === "BOOKMARK" || event.object.metadata.name !== "one") continue;
      if (event.type === "ADDED") await client.delete(widgets, { namespace, name: "one" });
      if (event.type === "DELETED") break;
    }
    expect(await says("released")).toContain("released one\n");
    expect((await client.list(widgets, { namespace })).items).toEqual([]);
  });
});
