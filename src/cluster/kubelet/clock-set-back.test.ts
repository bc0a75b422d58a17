import { expect, onTestFinished, test } from "vitest";
import { pods } from "../../api/resources.ts";
import { ResettableClock } from "../../testing/resettable-clock.ts";
import { testCluster } from "../../testing/test-cluster.ts";

const web = { namespace: "default", name: "web" };
const hourMs = 3_600_000;

/** A cluster with a running Pod that takes 20 seconds to end, of the 30 it is given. */
async function start() {
  const clock = new ResettableClock();
  const { client, stop } = await testCluster({ clock });
  onTestFinished(stop);
  await clock.advance(1000);
  const annotations = { "sim.trimtab.dev/terminationDelay": "20s" };
  const spec = { containers: [{ name: "web", image: "web" }] };
  await client.create(pods, { metadata: { ...web, annotations }, spec });
  const phase = async () => (await client.list(pods, {})).items[0]?.status?.phase;
  return { clock, client, phase };
}

test("a Pod that terminates while the clock is set back an hour is gone when its time is over", async () => {
  const { clock, client, phase } = await start();
  await clock.advance(10_000);
  await client.delete(pods, web);
  await clock.advance(10_000);
  clock.setBack(hourMs);
  await clock.advance(9000);
  expect(await phase()).toBe("Running");
  await clock.advance(2000);
  expect(await phase()).toBeUndefined();
});

test("a Pod that starts while the clock is set back runs when its time has come", async () => {
  const { clock, phase } = await start();
  await clock.advance(100);
  expect(await phase()).toBe("Pending");
  clock.setBack(hourMs);
  await clock.advance(2000);
  expect(await phase()).toBe("Running");
});

test("a Pod deleted after the clock was set back has its whole grace period, and no more than that", async () => {
  const { clock, client, phase } = await start();
  await clock.advance(10_000);
  clock.setBack(hourMs);
  await client.delete(pods, web);
  await clock.advance(19_000);
  expect(await phase()).toBe("Running");
  await clock.advance(2000);
  expect(await phase()).toBeUndefined();
});

test("a second delete still shortens the grace period after the clock was set back", async () => {
  const { clock, client, phase } = await start();
  await clock.advance(10_000);
  clock.setBack(hourMs);
  await client.delete(pods, web);
  await clock.advance(5000);
  await client.delete(pods, web, { gracePeriodSeconds: 7 });
  await clock.advance(5000);
  expect(await phase()).toBeUndefined();
});

test("a Pod that terminates while the clock is set forward keeps the rest of its time", async () => {
  const { clock, client, phase } = await start();
  await clock.advance(10_000);
  await client.delete(pods, web);
  await clock.advance(5000);
  clock.setBack(-hourMs);
  await client.patch(pods, web, { type: "merge", body: { metadata: { labels: { seen: "yes" } } } });
  await clock.advance(14_000);
  expect(await phase()).toBe("Running");
  await clock.advance(2000);
  expect(await phase()).toBeUndefined();
});
