import { describe, expect, test } from "vitest";
import { configMaps } from "../../src/api/resources.ts";
import { makeNamespace } from "../embedded-cluster.ts";
import { useClient } from "./client-fixture.ts";
import { runClient } from "./client-process.ts";
import { describeApplying, describeLogs, describeRefusals, describeWatching } from "./describe-client.ts";
import { describeWidgets } from "./describe-custom-kinds.ts";
import { buildClientGo, programIn } from "./tools.ts";
import { defineWidgets } from "./widgets.ts";

describe("client-go", () => {
  const use = useClient(buildClientGo, (folder) => [programIn(folder)]);
  describeWatching(use);
  describeApplying(use);
  describeRefusals(use);
  describeLogs(use);
  describeWidgets(use, ["dynamic-widgets", "typed-widgets"]);

  test("applies objects of a custom kind, whose schema and managers have a say", async (context) => {
    const { cluster, program } = use(context);
    await makeNamespace(cluster.client, "applying-widgets");
    await defineWidgets(cluster.client);
    const apply = async (...words: readonly string[]) =>
      (await runClient(program, "apply-widget", "applying-widgets", ...words)).out;
    expect(await apply("alice", "2")).toBe("applied 2\n");
    expect(await apply("bob", "3")).toMatch(
      /^refused: Apply failed with 1 conflict: .*"alice": \.spec\.size\n$/,
    );
    expect(await apply("bob", "3", "force")).toBe("applied 3\n");
    expect(await apply("bob", "101")).toMatch(/^refused: .*should be less than or equal to 100\n$/);
  });

  test("posts over each of 1,000 connections that were idle for 6 to 80 seconds", async (context) => {
    const { cluster, program } = use(context);
    await makeNamespace(cluster.client, "idling");
    await cluster.client.create(configMaps, { metadata: { name: "greeting", namespace: "idling" } });
    expect(await runClient(program, "idle", "idling")).toEqual({ code: 0, out: "posted 1000\n", err: "" });
  });
});
