import { describe, expect, test } from "vitest";
import { configMaps } from "../../src/api/resources.ts";
import { makeNamespace } from "../embedded-cluster.ts";
import { useClient } from "./client-fixture.ts";
import { runClient } from "./client-process.ts";
import { describeLogs, describeRefusals, describeWatching } from "./describe-client.ts";
import { buildClientGo, programIn } from "./tools.ts";

describe("client-go", () => {
  const use = useClient(buildClientGo, (folder) => [programIn(folder)]);
  describeWatching(use);
  describeRefusals(use);
  describeLogs(use);

  test("posts over each of 1,000 connections that were idle for 6 to 80 seconds", async (context) => {
    const { cluster, program } = use(context);
    await makeNamespace(cluster.client, "idling");
    await cluster.client.create(configMaps, { metadata: { name: "greeting", namespace: "idling" } });
    expect(await runClient(program, "idle", "idling")).toEqual({ code: 0, out: "posted 1000\n", err: "" });
  });
});
