import { describe, expect, test } from "vitest";
import { replicationControllers, services } from "../../src/api/resources.ts";
import { perTier } from "../tier.ts";
import { startSchedulerFixture, type SchedulerFixture } from "./fixture.ts";

const zones = 3;
const perZone = 5;
const name = "test-spread";

// "Multi-AZ Clusters should spread the pods of a {replication controller, service} across zones".
// The proposal says of its own test that it "is currently broken in 5k nodes".
describe.for(perTier({ unit: [12, 150], full: [5000] }))("in a cluster of %d nodes", (nodes) => {
  const start = () => startSchedulerFixture({ nodes, withControllers: true });

  test("the Pods of a Service are spread across zones", async () => {
    const fixture = await start();
    await fixture.client.create(services, {
      metadata: { name, namespace: "default" },
      spec: { selector: { app: name }, ports: [{ port: 80 }] },
    });
    await fixture.clock.settle();
    for (let index = 0; index < zones * perZone; index++)
      await fixture.createPod(`${name}-${index}`, { labels: { app: name } });
    await expectSpread(fixture);
  });

  test("the Pods of a replication controller are spread across zones", async () => {
    const fixture = await start();
    await fixture.client.create(replicationControllers, {
      metadata: { name, namespace: "default" },
      spec: {
        replicas: zones * perZone,
        selector: { app: name },
        template: {
          metadata: { labels: { app: name } },
          spec: { containers: [{ name: "c", image: "registry.example/pause:3" }] },
        },
      },
    });
    await expectSpread(fixture);
  });
});

/** As many in every zone as in every other, give or take two. */
async function expectSpread({ clock, places }: SchedulerFixture): Promise<void> {
  await clock.advance(10_000);
  const counts = Array.from({ length: zones }, () => 0);
  for (const node of Object.values(await places())) {
    expect(node).toBeDefined();
    const zone = (Number(node?.slice("node-".length)) - 1) % zones;
    counts[zone] = (counts[zone] ?? 0) + 1;
  }
  for (const count of counts) expect(Math.abs(count - perZone)).toBeLessThanOrEqual(2);
}
