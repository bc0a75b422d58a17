import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { deployments, pods } from "../../src/api/resources.ts";
import { deployment } from "../../src/testing/deployment.ts";
import { testCluster } from "../../src/testing/test-cluster.ts";
import { PreciseCoverage } from "../fuzz/precise-coverage.ts";
import { httpsCaller } from "../https-caller.ts";
import { readPage } from "./markdown.ts";

const sources = fileURLToPath(new URL("../../src/", import.meta.url));

/** Returns the source files of which a function has been called since `coverage` was asked last. */
function filesRun(coverage: PreciseCoverage): ReadonlySet<string> {
  return new Set(
    coverage
      .take()
      .filter(({ functions }) => functions.some(({ ranges }) => ranges.some(({ count }) => count > 0)))
      .map(({ url }) => (url.startsWith("file:") ? fileURLToPath(url) : url))
      .filter((file) => file.startsWith(sources)),
  );
}

test("the files that the walk names run when a Deployment is scaled down, and as many others as it says", async () => {
  const cluster = await testCluster({ transport: "https" });
  onTestFinished(cluster.stop);
  const { clock, client, access } = cluster;
  if (access === undefined) throw new Error("the cluster does not listen");
  const { spec } = deployment("web", { replicas: 9 });
  await client.create(deployments, { metadata: { namespace: "default", name: "web" }, spec });
  await clock.advance(60_000);

  const coverage = new PreciseCoverage();
  onTestFinished(() => coverage.stop());
  const caller = httpsCaller(access);
  onTestFinished(() => caller.close());
  const { code } = await caller.call("PATCH /apis/apps/v1/namespaces/default/deployments/web/scale", {
    headers: { "content-type": "application/merge-patch+json" },
    body: JSON.stringify({ spec: { replicas: 3 } }),
  });
  expect(code).toBe(200);
  await clock.advance(5000);
  const run = filesRun(coverage);
  expect((await client.list(pods, { namespace: "default" })).items).toHaveLength(3);

  const walk = readPage("ARCHITECTURE.md")
    .split("## A walk: a Deployment is scaled down\n")[1]
    ?.split("\n## ")[0];
  const steps = walk?.split("\n\nA new Pod takes another path")[0] ?? "";
  const named = [...steps.matchAll(/`src\/([^`]+\.ts)`/g)].map(([, file]) => `${sources}${file}`);
  expect(named.filter((file) => !run.has(file))).toEqual([]);
  // A file that is split or joined makes the number no less true.
  const stated = Number(/about (\d+) files run/.exec(steps)?.[1]);
  expect(Math.abs(run.size - stated), `${run.size} files ran`).toBeLessThan(stated / 20);
});
