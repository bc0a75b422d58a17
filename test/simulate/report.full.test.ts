// The page of `--report` in a real browser: its numbers are those of the data, on wide and narrow screens, light and dark.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Locator, Page } from "playwright-core";
import { build } from "vite";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type ReportData, reportData } from "../../src/cli/simulate/report-data.ts";
import { openReport } from "../../src/cli/simulate/report-file.ts";
import type { ScenarioComparison } from "../../src/simulation/scenario-comparison/compare-outcomes.ts";
import {
  differenceText,
  measureText,
  spreadText,
} from "../../src/simulation/scenario-comparison/measure-text.ts";
import { measureNames } from "../../src/simulation/scenario-comparison/run-measures.ts";
import { readScenario } from "../../src/simulation/scenario-files/read-scenario.ts";
import type { ScenarioResult } from "../../src/simulation/scenario-run/scenario-result.ts";
import { runTask } from "../../src/simulation/scenario-run/run-scenario.ts";
import { folderWith } from "../cli/type-command.ts";
import { chromiumPath, launchBrowser, takeScreenshot, violations } from "../page/page-in-browser.ts";

const hostile = `</script><img src=x onerror="document.title='stolen'"><!--`;
const workload = "Deployment default/worker";

const scenarioText = (replicas: number) => `apiVersion: trimtab.dev/v1alpha1
kind: Scenario
name: ${JSON.stringify(`${hostile} to ${replicas}`)}
duration: 30m
manifests:
  - apiVersion: apps/v1
    kind: Deployment
    metadata: { name: worker }
    spec:
      replicas: 12
      selector: { matchLabels: { app: worker } }
      template:
        metadata: { labels: { app: worker }, annotations: { sim.trimtab.dev/terminationDelay: 40s } }
        spec: { containers: [{ name: worker, image: "worker:1" }] }
  - apiVersion: apps/v1
    kind: ReplicaSet
    metadata: { name: other }
    spec:
      replicas: 2
      selector: { matchLabels: { app: other } }
      template:
        metadata: { labels: { app: other } }
        spec: { containers: [{ name: other, image: "other:1" }] }
work: [{ selector: app=worker, share: 50% }]
load: [{ object: deployment/worker, metrics: { cpu: { total: { wave: { low: 1, high: 6, period: 20m } } } } }]
events:
  - { at: 5m, setImage: { workload: deployment/worker, image: "worker:2" } }
  - { at: 15m, scale: { workload: deployment/worker, replicas: ${replicas} } }
  - { at: 20m, down: { zone: zone-b } }
assertions:
  - { name: ${JSON.stringify(hostile)}, workload: deployment/worker, busyPodsRemoved: { atMost: 0 } }
`;

/** What came of a scenario that scales to so many replicas. */
async function outcomeOf(replicas: number, seeds: readonly number[]) {
  const file = path.join(folderWith({ "scenario.yaml": scenarioText(replicas) }), "scenario.yaml");
  const read = readScenario(file);
  if (!read.ok) throw new Error(read.problems.join("\n"));
  const { scenario } = read;
  const runs = seeds.map((seed, index) => runTask({ scenario, seed, withoutSeries: index > 0 }));
  return { file: `to-${replicas}.yaml`, outcomes: await Promise.all(runs) };
}

if (chromiumPath === undefined)
  // oxlint-disable-next-line no-console -- a run has to say what it skipped
  console.warn("the report is not opened: there is no chromium (set TRIMTAB_CHROMIUM to the path of one)");

describe.skipIf(chromiumPath === undefined)("a report in a browser", () => {
  let browser: Browser;
  let bundle = "";
  /** Run by the first test that shows it. */
  let compared: Promise<ReportData> | undefined;
  const comparison = async () =>
    reportData([await outcomeOf(8, [1, 2, 3]), await outcomeOf(4, [1, 2, 3])], true);
  beforeAll(async () => {
    bundle = mkdtempSync(path.join(tmpdir(), "trimtab-report-"));
    await build({
      configFile: path.resolve("ui/report/vite.config.ts"),
      logLevel: "error",
      build: { outDir: bundle, emptyOutDir: false },
    });
    browser = await launchBrowser();
  }, 120_000);
  afterAll(async () => {
    await browser.close();
    rmSync(bundle, { recursive: true, force: true });
  });

  /** Writes a report and opens the file in a new window. */
  async function opened(data: ReportData, look: { width?: number; colorScheme?: "light" | "dark" } = {}) {
    const file = path.join(folderWith({ "report.html": "an older report, which goes" }), "report.html");
    const report = openReport(file, bundle);
    if (typeof report === "string") throw new Error(report);
    report.write(data);
    const { width = 1280, colorScheme = "light" } = look;
    const context = await browser.newContext({ colorScheme, viewport: { width, height: 900 } });
    onTestFinished(() => context.close());
    const page = await context.newPage();
    const [errors, requests]: [string[], string[]] = [[], []];
    page.on("pageerror", (error) => errors.push(error.message));
    page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
    page.on("request", (request) => requests.push(request.url()));
    const url = pathToFileURL(file).href;
    await page.goto(url);
    await page.locator("main").waitFor();
    expect(readFileSync(file, "utf8")).toMatch(/^<!doctype html>/);
    return { page, errors, requests, url };
  }

  const looks = [
    { name: "wide and light", width: 1280, colorScheme: "light" },
    { name: "wide and dark", width: 1280, colorScheme: "dark" },
    { name: "narrow and light", width: 360, colorScheme: "light" },
    { name: "narrow and dark", width: 360, colorScheme: "dark" },
  ] as const;

  test.for([1440, 390])(
    "names of 253 characters push nothing out of a window of %i pixels",
    async (width) => {
      const data = await (compared ??= comparison());
      const long = "long-".repeat(60).slice(0, 253);
      const renamed = JSON.parse(JSON.stringify(data).replaceAll("worker", long)) as ReportData;
      const { page } = await opened(renamed, { width });
      await openRemoved(page);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
      const tooWide = await page.evaluate<
        string[]
      >(`[...document.querySelectorAll("table, h1, h2, h3, figure")]
      .filter((each) => each.getBoundingClientRect().right > innerWidth + 1)
      .map((each) => each.className + " " + each.tagName)`);
      expect(tooWide).toEqual([]);
      await takeScreenshot(page, `report long names ${width}`);
    },
  );

  test.for(looks)("a comparison, $name, fits and has the numbers of the data", async (look) => {
    const data = await (compared ??= comparison());
    const { page, errors, requests, url } = await opened(data, look);

    const [all = [], ...each] = await Promise.all(
      (await page.locator("table.comparison").all()).map(async (table) =>
        (await cellsOf(table)).map((row) => row.slice(1, 4)),
      ),
    );
    const { measures, workloads } = data.comparison ?? {};
    expect(all).toEqual(measureTexts(measures ?? {}));
    expect(each).toEqual(Object.values(workloads ?? {}).map(measureTexts));
    expect(each).toHaveLength(2);
    expect(data.comparison?.measures.podHours.difference?.median).toBeLessThan(0);
    await openRemoved(page);
    for (const [index, result] of resultsOf(data).entries()) {
      const run = page.locator("section.run").nth(index);
      const summary = page.locator("section.run-summary").nth(index);
      const [row] = await cellsOf(summary.locator("table.workloads"));
      expect(row?.slice(0, 8)).toEqual(summaryTexts(result));
      const removed = await cellsOf(run.locator("table.removed"));
      expect(removed.map((each) => [each[1], each[5], each[6]])).toEqual(
        result.removedPods.map(({ pod, by, reason }) => [pod, by, reason]),
      );
    }
    expect(await page.locator("canvas").count()).toBe(16);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(look.width);
    expect(await page.title()).toContain(hostile);
    expect(await page.locator("img").count()).toBe(0);
    expect({ errors, requests }).toEqual({ errors: [], requests: [url] });
    expect(await violations(page)).toEqual([]);
    expect(await takeScreenshot(page, `report ${look.name}`)).toBeGreaterThan(5000);
    await page.locator("figure").nth(4).scrollIntoViewIfNeeded();
    await takeScreenshot(page, `report ${look.name}, charts`);
    await page.locator("table.removed").first().scrollIntoViewIfNeeded();
    await takeScreenshot(page, `report ${look.name}, removed Pods`);
  });

  test("a chart under the pointer tells the numbers of that moment", async () => {
    const outcome = await outcomeOf(8, [1]);
    const data = reportData([outcome], false);
    const { page } = await opened(data);
    const chart = page.locator("figure").filter({ hasText: "Pods by state" }).first();
    const at = await legendAt(page, chart, 0.18);
    expect(at).toEqual({ time: at["time"], ...statesAt(data, secondsOf(at["time"] ?? "")) });
    expect(Number(at["ready"]) + Number(at["terminating"])).toBeGreaterThan(0);
    const load = page.locator("figure").filter({ hasText: "Load and replicas: cpu" });
    const loaded = await legendAt(page, load, 0.5);
    const sampled = loadAtSecond(data, secondsOf(loaded["time"] ?? ""));
    expect(sampled).toBeGreaterThan(0);
    expect(Number(loaded["cpu, right axis"])).toBeCloseTo(sampled, 2);
  });
});

/** Unfolds the removed Pods, each in a row. */
async function openRemoved(page: Page): Promise<void> {
  for (const summary of await page.locator(".each-removed > summary").all()) await summary.click();
}

function resultsOf({ files }: ReportData): readonly ScenarioResult[] {
  return files.flatMap(({ result }) => result ?? []);
}

/** The medians and spreads of both scenarios as text, and of their difference, measure by measure. */
function measureTexts(measures: Partial<ScenarioComparison["measures"]>): readonly (readonly string[])[] {
  return measureNames.flatMap((name) => {
    const measure = measures[name];
    if (measure === undefined) return [];
    const { a, b, difference } = measure;
    return [[spreadText(name, a), spreadText(name, b), spreadText(name, difference, differenceText)]];
  });
}

/** The numbers of the workload over a run as text. */
function summaryTexts({ workloads }: ScenarioResult): readonly string[] {
  const summary = workloads[workload];
  if (summary === undefined) throw new Error(`the run has no ${workload}`);
  const { removedPods, busyPodsRemoved, highestSkew, mostPods, mostTerminating } = summary;
  const lost = measureText("workLostSeconds", summary.workLostSeconds);
  const hours = summary.podHours.toFixed(2);
  const numbers = [removedPods, busyPodsRemoved, lost, highestSkew, hours, mostPods, mostTerminating];
  return [workload, ...numbers.map(String)];
}

/** The numbers of the workload in the series of the first run, as a legend has them. */
function statesAt(data: ReportData, seconds: number): Record<string, string> {
  const series = resultsOf(data)[0]?.series;
  const own = series?.workloads[workload];
  if (series === undefined || own === undefined) throw new Error(`the series has no ${workload}`);
  const { terminating, pending, notReady, ready, desired } = own;
  const lines = { terminating, pending, "not ready": notReady, ready, desired };
  return Object.fromEntries(
    Object.entries(lines).map(([name, values]) => [name, String(values[seconds / series.stepSeconds])]),
  );
}

/** What the workload uses of its load in the series of the first run. */
function loadAtSecond(data: ReportData, seconds: number): number {
  const series = resultsOf(data)[0]?.series;
  return series?.workloads[workload]?.loads["cpu"]?.[seconds / series.stepSeconds] ?? 0;
}

/** The texts of the cells of a table, row by row. */
function cellsOf(table: Locator): Promise<string[][]> {
  return table
    .locator("tbody tr")
    .evaluateAll((rows) =>
      rows.map((row) => [...row.querySelectorAll("td")].map((cell) => cell.textContent)),
    );
}

/** What the legend of a chart shows while the pointer is at a share of its width. */
async function legendAt(page: Page, chart: Locator, share: number): Promise<Record<string, string>> {
  const over = chart.locator(".u-over");
  await over.scrollIntoViewIfNeeded();
  const { x = 0, y = 0, width = 0, height = 0 } = (await over.boundingBox()) ?? {};
  await page.mouse.move(x + width * share, y + height / 2);
  const rows = chart.locator(".u-legend .u-series");
  await rows.first().filter({ hasText: /\d/ }).waitFor();
  const texts = await rows.evaluateAll((all) =>
    all.map((row) => [...row.children].map((cell) => cell.textContent)),
  );
  return Object.fromEntries(texts.map(([name = "", value = ""]) => [name, value]));
}

/** The seconds of a time such as `5m24s`. */
function secondsOf(text: string): number {
  const [, minutes = "0", seconds = "0"] = /^(?:(\d+)m)?(?:(\d+)s)?$/.exec(text) ?? [];
  return Number(minutes) * 60 + Number(seconds);
}
