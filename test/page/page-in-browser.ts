import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import axe from "axe-core";
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from "playwright-core";
import { build } from "vite";
import { defaultFeatureGates, type FeatureGates } from "../../src/api/feature-gates.ts";
import { formatMicroTime } from "../../src/api/time.ts";
import { pagePickers } from "../../src/cli/page/page-pickers.ts";
import { embeddedFacts } from "../../src/cli/page/page-facts.ts";
import { startEmbeddedCluster } from "../../src/cluster/embedding/start-embedded-cluster.ts";
import { apiFailure } from "../../src/machinery/client/api-error.ts";
import type { OpenRequest } from "../../src/machinery/client/http/transport.ts";
import type { ClusterFacts } from "../../src/page/contract.ts";
import { startPageServer } from "../../src/page/page-server.ts";
import { emptyAllowList } from "../../src/picker/addresses/address-policy.ts";
import { defaultSchedulerConfig } from "../../src/scheduler/configuration/scheduler-config.ts";
import { collectingLogger } from "../../src/testing/collecting-logger.ts";

const candidates = [
  process.env["TRIMTAB_CHROMIUM"],
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
];

/** Where a browser is; `undefined` where there is none, and these suites are skipped. */
export const chromiumPath = candidates.find((each) => each !== undefined && existsSync(each));

if (chromiumPath === undefined)
  // oxlint-disable-next-line no-console -- a run has to say what it skipped
  console.warn("test/page is skipped: there is no chromium (set TRIMTAB_CHROMIUM to the path of one)");

/** The bundle of the page as it is now, in a folder of its own; removed by `remove`. */
export async function buildPage(): Promise<{ readonly folder: string; readonly remove: () => void }> {
  const folder = mkdtempSync(path.join(tmpdir(), "trimtab-page-"));
  await build({
    configFile: path.resolve("ui/vite.config.ts"),
    logLevel: "error",
    build: { outDir: folder, emptyOutDir: false },
  });
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Generous, for busy machines: nothing here takes so long, so only what never happens should meet it. */
const patienceMs = 120_000;

export function launchBrowser(): Promise<Browser> {
  const executablePath = chromiumPath ?? "";
  return chromium.launch({ executablePath, args: ["--no-sandbox"], timeout: patienceMs });
}

/** A window with cookies of its own. */
export async function newWindow(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(patienceMs);
  return context;
}

export interface ShownClusterOptions {
  /** The folder of the bundle. */
  readonly folder: string;
  readonly nodes?: number;
  readonly zones?: number;
  readonly gates?: Partial<FeatureGates>;
  /** What the page is told that differs from a cluster of `trimtab up`. */
  readonly facts?: Partial<ClusterFacts>;
}

/** A cluster in this process, and the server of its page. */
export async function startShownCluster(options: ShownClusterOptions) {
  const { folder, nodes = 6, zones = 3, gates = {}, facts = {} } = options;
  const featureGates = { ...defaultFeatureGates, ...gates };
  const cluster = await startEmbeddedCluster({ nodes, zones, seed: "page", gates: { all: gates } });
  const open = cluster.server.open("trimtab-page/test", { withoutManagedFields: true });
  const outage = { isOut: false, cut: new AbortController() };
  /** The API server as the page's server reaches it; it can be made to go away. */
  const openUnlessOut: OpenRequest = async (request, signal) => {
    if (outage.isOut) throw apiFailure(503, "ServiceUnavailable", "the API server is gone");
    return open(request, AbortSignal.any([signal, outage.cut.signal]));
  };
  const { client } = cluster.server;
  const shown = {
    ...embeddedFacts({
      name: "story",
      server: "https://127.0.0.1:6443",
      featureGates,
      schedulerConfig: defaultSchedulerConfig(featureGates),
    }),
    ...facts,
  };
  const server = await startPageServer({
    port: 0,
    folder,
    clock: cluster.clock,
    log: collectingLogger(),
    open: openUnlessOut,
    client,
    cluster: shown,
    askPickers: pagePickers({
      client,
      clock: cluster.clock,
      access: { allowed: emptyAllowList },
      cluster: shown,
    }),
    time() {
      const { now, speed, isPaused } = cluster.clock.state;
      return { now: formatMicroTime(now), speed, paused: isPaused };
    },
  });
  return {
    ...cluster,
    newLink: server.newLink,
    /** Lets the API server go away, and come back. */
    goAway() {
      outage.isOut = true;
      outage.cut.abort(new Error("the API server is gone"));
    },
    comeBack() {
      outage.isOut = false;
      outage.cut = new AbortController();
    },
    async stop() {
      await server.close();
      await cluster.stop();
    },
  };
}

export type ShownCluster = Awaited<ReturnType<typeof startShownCluster>>;

export interface OpenedPage {
  readonly page: Page;
  /** What the browser reported as errors: scripts that threw, requests that the policy blocked. */
  readonly errors: readonly string[];
  /** Opens a view by its address, such as `#/decisions`. */
  readonly visit: (address: string) => Promise<void>;
}

export interface Look {
  readonly colorScheme?: "light" | "dark";
  readonly width?: number;
}

/** Opens the page of a cluster in a new window; it shows the live cluster when this resolves. */
export async function openPage(browser: Browser, link: string, look: Look = {}): Promise<OpenedPage> {
  const { colorScheme = "light", width = 1280 } = look;
  const context = await newWindow(browser, { colorScheme, viewport: { width, height: 800 } });
  const page = await context.newPage();
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  await page.goto(link);
  await page.locator(".status.live").waitFor();
  const visit = async (address: string) => {
    // Not `goto`: the page stays the same, and with it the history it has watched.
    await page.evaluate(`location.hash = ${JSON.stringify(address)}`);
  };
  return { page, errors, visit };
}

/** Takes a screenshot where `TRIMTAB_SCREENSHOTS` names a folder, and otherwise only checks that one can be taken. */
export async function takeScreenshot(page: Page, name: string): Promise<number> {
  const folder = process.env["TRIMTAB_SCREENSHOTS"];
  if (folder !== undefined) mkdirSync(folder, { recursive: true });
  const image = await page.screenshot(folder === undefined ? {} : { path: path.join(folder, `${name}.png`) });
  return image.length;
}

/** What axe finds wrong, as `rule: element`. */
export async function violations(page: Page): Promise<readonly string[]> {
  // Evaluated by the debugger, which the page's own policy does not concern.
  await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const { axe: checker } = globalThis as unknown as {
      axe: { run: () => Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
    };
    const { violations: found } = await checker.run();
    return found.map(({ id, nodes: at }) => `${id}: ${at[0]?.html}`);
  });
}

/**
 * Takes a picture of the documentation again where `TRIMTAB_PICTURES` is set, so that pictures show what there is; otherwise only
 * checks that there is one.
 */
export async function takePicture(page: Page, file: string): Promise<number> {
  if (process.env["TRIMTAB_PICTURES"] !== undefined) await page.screenshot({ path: file });
  return statSync(file).size;
}
