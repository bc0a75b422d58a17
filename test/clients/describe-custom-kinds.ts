import { expect, test, type TestContext } from "vitest";
import { makeNamespace } from "../embedded-cluster.ts";
import type { ClientFixture } from "./client-fixture.ts";
import { startClient } from "./client-process.ts";
import { defineWidgets, widget, widgets } from "./widgets.ts";

/** What a client library sees of a kind that a CustomResourceDefinition brought, with each command of a program. */
export function describeWidgets(
  use: (context: TestContext) => ClientFixture,
  commands: readonly string[],
): void {
  test("sees objects of a custom kind that are there, that come, change and go", async (context) => {
    const { cluster, program } = use(context);
    const { client } = cluster;
    const namespace = "widgets";
    await makeNamespace(client, namespace);
    await defineWidgets(client);
    await client.create(widgets, widget(namespace, "one", 1));
    const informers = commands.map((command) => startClient(program, command, namespace));
    for (const says of informers) expect(await says("synced")).toContain("synced 1\n");
    const created = await client.create(widgets, widget(namespace, "two", 2));
    for (const says of informers) await says("added two 2\n");
    await client.update(widgets, { ...created, spec: { size: 22 } });
    for (const says of informers) await says("changed two 22\n");
    await client.delete(widgets, { namespace, name: "two" });
    for (const says of informers) await says("deleted two 22\n");
  });
}
