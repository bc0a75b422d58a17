import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { defaultFeatureGates } from "../../src/api/feature-gates.ts";
import { startCluster } from "../../src/cluster/start-cluster.ts";
import { VirtualClock } from "../../src/machinery/clock/virtual-clock.ts";
import { prometheusMetrics } from "../../src/machinery/metrics/prometheus-metrics.ts";
import { seededRandom } from "../../src/machinery/random/random.ts";

const folder = fileURLToPath(new URL("../../docs/operations/", import.meta.url));
const pages = readdirSync(folder).map((file) => ({ file, text: readFileSync(`${folder}${file}`, "utf8") }));

/** What is set in code and begins as our metrics do; labels may follow. */
const metricName = /`((?:replicaset_controller|trimtab|workqueue|scheduler|kube)_[a-z_]+)[`{]/g;
const gateName = /`--feature-gates=([A-Za-z]+)=|[Ff]eature gate `([A-Za-z]+)`/g;

test("every metric that the pages for operators name is there in a running cluster", async () => {
  const clock = new VirtualClock();
  const metrics = prometheusMetrics();
  const cluster = await startCluster({ clock, random: seededRandom("docs"), metrics, nodes: 1 });
  const text = await metrics.text();
  await cluster.stop();
  const known = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name));
  const named = pages.flatMap(({ text: page }) => [...page.matchAll(metricName)].map(([, name]) => name));
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});

test("every gate that they name is one", () => {
  const named = pages.flatMap(({ text }) =>
    [...text.matchAll(gateName)].map(([, flag, gate]) => flag ?? gate),
  );
  expect(named.filter((name) => name === undefined || !(name in defaultFeatureGates))).toEqual([]);
});

test.for(pages)(
  "$file says how to enable, disable and roll back, what to watch, and what can fail",
  ({ text }) => {
    const headings = [...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
    expect(headings).toEqual(
      expect.arrayContaining([
        "Enable, disable",
        "Roll back, and forth again",
        "What to watch",
        "What it costs",
        "Failure modes",
      ]),
    );
  },
);

test.for(pages)("$file points only to files that are there", ({ text }) => {
  const paths = [...text.matchAll(/`((?:src|test|docs)\/[^`]+)`/g)].map(([, path]) => path ?? "");
  const root = new URL("../../", import.meta.url);
  expect(paths.filter((path) => !existsSync(new URL(path, root)))).toEqual([]);
});
