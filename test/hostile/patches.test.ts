import { beforeAll, describe, expect, test } from "vitest";
import { configMaps, deployments, expectResponse, hostileTestCluster } from "./fixture.ts";
import { patches } from "./patches.cases.ts";

const fixture = hostileTestCluster();

const labels = { app: "target" };
const template = { metadata: { labels }, spec: { containers: [{ name: "web", image: "web" }] } };
const deployment = { paused: true, replicas: 0, selector: { matchLabels: labels }, template };

beforeAll(async () => {
  const metadata = { name: "target" };
  await fixture.call(`POST ${configMaps}`, { body: JSON.stringify({ metadata, data: { kept: "yes" } }) });
  await fixture.call(`POST ${deployments}`, { body: JSON.stringify({ metadata, spec: deployment }) });
});

const stored = async (path: string) => {
  const { text } = await fixture.call(`GET ${path}/target`);
  const { data, spec } = JSON.parse(text) as { data?: unknown; spec?: unknown };
  return { data, spec };
};

describe("a patch", () => {
  test.for(patches)("$name is answered with $code, and changes nothing", async (patch) => {
    const before = [await stored(configMaps), await stored(deployments)];
    await expectResponse(fixture, patch);
    expect([await stored(configMaps), await stored(deployments)]).toEqual(before);
  });
});
