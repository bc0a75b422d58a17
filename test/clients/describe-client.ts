import { expect, test, type TestContext } from "vitest";
import { configMaps, pods } from "../../src/api/resources.ts";
import { makeNamespace } from "../embedded-cluster.ts";
import type { ClientFixture } from "./client-fixture.ts";
import { runClient, startClient } from "./client-process.ts";

/** What any client library has to find at the API server, by a small program with the same commands in each language. */
export function describeWatching(use: (context: TestContext) => ClientFixture): void {
  const waiting = (name: string, namespace: string) => ({
    metadata: { name, namespace },
    spec: { schedulerName: "nobody", containers: [{ name: "web", image: "web" }] },
  });

  test("sees the Pods that are there, and those that come and go", async (context) => {
    const { cluster, program } = use(context);
    const namespace = "watching";
    await makeNamespace(cluster.client, namespace);
    for (const name of ["one", "two"]) await cluster.client.create(pods, waiting(name, namespace));
    const says = startClient(program, "watch", namespace);
    expect(await says("synced")).toContain("synced 2\n");
    await cluster.client.create(pods, waiting("three", namespace));
    await says("added three\n");
    await cluster.client.delete(pods, { namespace, name: "one" });
    await says("deleted one\n");
  });
}

export function describeRefusals(use: (context: TestContext) => ClientFixture): void {
  test("tells refusals apart as the library does: not found, already exists, conflict, invalid", async (context) => {
    const { cluster, program } = use(context);
    await makeNamespace(cluster.client, "refusing");
    expect(await runClient(program, "refusals", "refusing")).toMatchObject({
      code: 0,
      out: "not found true\nalready exists true\nconflict true\ninvalid true\n",
    });
    const kept = await cluster.client.get(configMaps, { namespace: "refusing", name: "refusals" });
    expect(kept.data).toEqual({ changed: "once" });
  });
}
