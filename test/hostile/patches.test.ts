import { beforeAll, describe, expect, test } from "vitest";
import {
  configMaps,
  deployments,
  expectResponse,
  hostileTestCluster,
} from "./hostile-test-cluster.contract.ts";
import { patches } from "./patches.cases.ts";

const world = hostileTestCluster();

const labels = { app: "target" };
const template = { metadata: { labels }, spec: { containers: [{ name: "web", image: "web" }] } };
const deployment = { paused: true, replicas: 0, selector: { matchLabels: labels }, template };

beforeAll(async () => {
  const metadata = { name: "target" };
  await world.call(`POST ${configMaps}`, { body: JSON.stringify({ metadata, data: { kept: "yes" } }) });
  await world.call(`POST ${deployments}`, { body: JSON.stringify({ metadata, spec: deployment }) });
});

const stored = async (path: string) => {
  const { text } = await world.call(`GET ${path}/target`);
  const { data, spec } = JSON.parse(text) as { data?: unknown; spec?: unknown };
  return { data, spec };
};

describe("a patch", () => {
  test.for(patches)("$name is answered with $code, and changes nothing", async (patch) => {
    const before = [await stored(configMaps), await stored(deployments)];
    await expectResponse(world, patch);
    expect([await stored(configMaps), await stored(deployments)]).toEqual(before);
  });
});
