import { expect, test, type TestContext } from "vitest";
import { configMaps, pods } from "../../src/api/resources.ts";
import { isReady } from "../../src/api/pod-state.ts";
import type { Client } from "../../src/machinery/client/client.ts";
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

export function describeLogs(use: (context: TestContext) => ClientFixture): void {
  const talker = (name: string, annotations: Readonly<Record<string, string>>) => ({
    metadata: {
      name,
      namespace: "talking",
      annotations: Object.fromEntries(
        Object.entries(annotations).map(([key, value]) => [`sim.trimtab.dev/${key}`, value]),
      ),
    },
    spec: { containers: [{ name: "talker", image: "talker" }] },
  });

  test("reads the log of a Pod, and follows one that grows", async (context) => {
    const { cluster, program } = use(context);
    const { client } = cluster;
    await makeNamespace(client, "talking");
    await client.create(pods, talker("once", { log: "hello" }));
    await untilReady(client, "once");
    expect(await runClient(program, "logs", "talking", "once")).toMatchObject({
      code: 0,
      out: [
        "trimtab: container talker started (simulated), image talker",
        "hello",
        "trimtab: container talker is ready",
        "",
      ].join("\n"),
    });
    await client.create(pods, talker("often", { log: "tick\ntock", logInterval: "100ms" }));
    await untilReady(client, "often");
    const says = startClient(program, "logs", "talking", "often", "follow");
    await says("tick\ntock\ntick\n");
  });

  async function untilReady(client: Client, name: string): Promise<void> {
    const enough = new AbortController();
    for await (const event of client.watch(pods, { namespace: "talking" }, enough.signal)) {
      if (event.type !== "ADDED" && event.type !== "MODIFIED") continue;
      if (event.object.metadata.name === name && isReady(event.object)) return;
    }
  }
}
