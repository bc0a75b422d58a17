import { expect, test } from "vitest";
import { nodes, pods } from "../../../api/resources.ts";
import { controllerComponent } from "../../../machinery/component/component.ts";
import { allComponentsExcept, testCluster } from "../../../testing/test-cluster.ts";
import { podGcController } from "./pod-gc-controller.ts";

const collector = controllerComponent({
  name: "small-pod-gc",
  create: ({ client, clock, informers }) =>
    podGcController({
      client,
      clock,
      nodes: informers.of(nodes),
      pods: informers.of(pods),
      terminatedThreshold: 2,
    }),
});

test("of too many terminal Pods the oldest go", async () => {
  const { client, clock, stop } = await testCluster({
    nodes: 1,
    components: allComponentsExcept("node-lifecycle"),
    extraComponents: [collector],
  });
  await clock.advance(1000);
  const spec = { nodeName: "node-1", restartPolicy: "Never", containers: [{ name: "web", image: "nginx" }] };
  for (const name of ["first", "second", "third", "fourth"]) {
    await client.create(pods, { metadata: { name, namespace: "default" }, spec });
    await clock.advance(2000);
  }
  const runs = { ...spec, restartPolicy: "Always" };
  await client.create(pods, { metadata: { name: "running", namespace: "default" }, spec: runs });
  await clock.advance(60_000);
  const left = (await client.list(pods, {})).items.map(({ metadata }) => metadata.name);
  expect(new Set(left)).toEqual(new Set(["third", "fourth", "running"]));
  await stop();
});
