import type { Browser, CDPSession, Page } from "playwright-core";
import { WallClock } from "../src/machinery/clock/wall-clock.ts";
import { bundled } from "../test/core/bundle-core.ts";
import { linkOf } from "../ui/playground/share-link.ts";
import { type Measure, percentile } from "./measure.ts";
import { memoryOfPage } from "./playground-memory.ts";

const clock = new WallClock();
const rollingMs = 15_000;
const settlingMs = 5000;
const deployments = Array.from({ length: 10 }, (_, index) => `web-${index}`);

/** 1,000 Pods on 100 nodes. */
const scenario = `apiVersion: trimtab.dev/v1alpha1
kind: Scenario
duration: 1h
nodes: 100
zones: 3
manifests:
${deployments
  .map(
    (name) =>
      `  - { apiVersion: apps/v1, kind: Deployment, metadata: { name: ${name} }, spec: { replicas: 100, selector: { matchLabels: { app: ${name} } }, template: { metadata: { labels: { app: ${name} } }, spec: { containers: [{ name: a, image: "a:1" }] } } } }\n`,
  )
  .join("")}`;

/** The page while 1,000 Pods roll at ten times the speed of the clock, and a simulated day in a worker. */
export async function rollingPage(browser: Browser, url: string): Promise<readonly Measure[]> {
  const { page, session } = await openRolling(browser, url);
  const frames = page.evaluate(framesWithin, rollingMs);
  const tasks = await mainThreadTasks(session, () => roll(page));
  const intervals = await frames;
  await page.close();
  return [
    {
      what: "between two frames while 1,000 Pods on 100 nodes roll: median",
      value: percentile(intervals, 0.5),
      unit: "ms",
    },
    { what: "the same, of 95 in 100 at most", value: percentile(intervals, 0.95), unit: "ms" },
    { what: "the same, the longest", value: Math.max(...intervals), unit: "ms", bar: 50 },
    {
      what: "the longest task of the page's thread, in processor time",
      value: Math.max(...tasks),
      unit: "ms",
      bar: 50,
    },
    ...(await memoryOfPage(browser, async () => {
      const again = await openRolling(browser, url);
      await roll(again.page);
      return { session: again.session, close: () => again.page.close() };
    })),
    {
      what: "a simulated day of 1,000 Pods on 100 nodes in a worker",
      value: await dayInWorkerMs(browser),
      unit: "ms",
      bar: 10_000,
    },
  ];
}

/** Opens the page with its terminal; the Pods are there. */
async function openRolling(
  browser: Browser,
  url: string,
): Promise<{ readonly page: Page; readonly session: CDPSession }> {
  const page = await browser.newPage();
  const session = await page.context().newCDPSession(page);
  await page.goto(`${url}/${await linkOf({ scenario, seed: 1 })}`);
  await page.locator(".status.live").waitFor();
  await page.getByLabel("Speed").selectOption("10");
  await clock.sleep(settlingMs);
  await page.getByRole("button", { name: "Terminal", exact: true }).click();
  return { page, session };
}

async function roll(page: Page): Promise<void> {
  for (const name of deployments) {
    await page.locator(".prompt input").fill(`kubectl rollout restart deployment ${name}`);
    await page.keyboard.press("Enter");
    await clock.sleep(rollingMs / deployments.length);
  }
}

/** Runs in the page: the times between its frames. */
function framesWithin(lastingMs: number): Promise<number[]> {
  const { requestAnimationFrame: onFrame } = globalThis as unknown as {
    requestAnimationFrame: (task: (now: number) => void) => void;
  };
  return new Promise((resolve) => {
    const intervals: number[] = [];
    let begin: number | undefined;
    let last = 0;
    const frame = (now: number) => {
      if (begin !== undefined) intervals.push(now - last);
      begin ??= now;
      last = now;
      if (now - begin < lastingMs) onFrame(frame);
      else resolve(intervals);
    };
    onFrame(frame);
  });
}

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** How long the tasks of the page's thread have run on a processor, which other programs do not change. */
async function mainThreadTasks(session: CDPSession, work: () => Promise<void>): Promise<readonly number[]> {
  const events: TraceEvent[] = [];
  session.on("Tracing.dataCollected", ({ value }) => events.push(...(value as unknown as TraceEvent[])));
  const complete = new Promise((resolve) => session.once("Tracing.tracingComplete", resolve));
  const traceConfig = { includedCategories: ["toplevel", "disabled-by-default-devtools.timeline"] };
  await session.send("Tracing.start", { transferMode: "ReportEvents", traceConfig });
  await work();
  await session.send("Tracing.end");
  await complete;
  const thread = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`;
  const isName = ({ name, args }: TraceEvent) => name === "thread_name" && args?.name === "CrRendererMain";
  const threads = new Set(events.filter(isName).map(thread));
  return events
    .filter((event) => event.name.endsWith("RunTask") && event.ph === "X" && threads.has(thread(event)))
    .map(({ tdur = 0 }) => tdur / 1000);
}

async function dayInWorkerMs(browser: Browser): Promise<number> {
  const script = await bundled("bench/day-in-worker.ts");
  const page = await browser.newPage();
  await page.route("http://core.test/**", (route) =>
    route.request().url().endsWith(".js")
      ? route.fulfill({ contentType: "text/javascript", body: script })
      : route.fulfill({ contentType: "text/html", body: "<!doctype html><title>core</title>" }),
  );
  await page.goto("http://core.test/");
  const [ready, ms] = await page.evaluate<readonly [number, number]>(`new Promise((resolve) => {
    const worker = new Worker("http://core.test/core.js", { type: "module" });
    const before = performance.now();
    worker.onmessage = ({ data }) => resolve([data, performance.now() - before]);
    worker.postMessage("begin");
  })`);
  await page.close();
  if (ready !== 1000) throw new Error(`a day in a worker ended with ${ready} ready Pods`);
  return ms;
}
