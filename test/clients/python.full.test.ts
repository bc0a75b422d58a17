import path from "node:path";
import { describe, test } from "vitest";
import { makeNamespace } from "../embedded-cluster.ts";
import { useClient } from "./client-fixture.ts";
import { startClient } from "./client-process.ts";
import { describeApplying, describeLogs, describeRefusals, describeWatching } from "./describe-client.ts";
import { buildPythonClient } from "./tools.ts";
import { defineWidgets, widget, widgets } from "./widgets.ts";

describe("the Python client", () => {
  const use = useClient(buildPythonClient, (folder) => [
    path.join(folder, "env/bin/python"),
    path.join(folder, "client.py"),
  ]);
  describeWatching(use);
  describeApplying(use);
  describeRefusals(use);
  describeLogs(use);

  test("follows objects of a custom kind, and writes their status but nothing else there", async (context) => {
    const { cluster, program } = use(context);
    const { client } = cluster;
    const namespace = "widgets";
    await makeNamespace(client, namespace);
    await defineWidgets(client);
    const says = startClient(program, "widgets", namespace);
    await says("synced 0\n");
    await client.create(widgets, widget(namespace, "one", 3));
    await says("added one 3\nstatus 3 spec 3\nmodified one 3\n");
    await client.delete(widgets, { namespace, name: "one" });
    await says("deleted one 3\n");
  });
});
