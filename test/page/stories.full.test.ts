import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { deployments, pods, replicaSets } from "../../src/api/resources.ts";
import { preferredLabel } from "../../src/decisions/downscale/rules.ts";
import type { RemovalRecord } from "../../src/decisions/explain/removal-record.ts";
import { deployment, type DeploymentTraits } from "../../src/testing/deployment.ts";
import { startHttpPicker } from "../picker/http-picker.ts";
import {
  buildPage,
  chromiumPath,
  launchBrowser,
  type OpenedPage,
  openPage,
  type ShownCluster,
  startShownCluster,
} from "./page-in-browser.ts";

const name = { namespace: "default", name: "web" };
const address = "#/workloads/Deployment/default/web";

describe.skipIf(chromiumPath === undefined)("the stories of the proposals, watched on the page", () => {
  let bundle: Awaited<ReturnType<typeof buildPage>>;
  let browser: Browser;
  let cluster: ShownCluster;
  let opened: OpenedPage;

  beforeAll(async () => {
    [bundle, browser] = await Promise.all([buildPage(), launchBrowser()]);
  });
  afterAll(async () => {
    await browser.close();
    bundle.remove();
  });
  beforeEach(async () => {
    cluster = await startShownCluster({ folder: bundle.folder });
    opened = await openPage(browser, cluster.newLink());
  });
  afterEach(async () => {
    await opened.page.context().close();
    await cluster.stop();
    expect(opened.errors).toEqual([]);
  });

  /** Runs a Deployment and waits until the page shows all its Pods as ready. */
  async function runWeb(traits: DeploymentTraits): Promise<void> {
    const { metadata: _, ...rest } = deployment("web", traits);
    await cluster.client.create(deployments, { ...rest, metadata: name });
    await readyOnPage(traits.replicas ?? 3);
  }

  async function readyOnPage(count: number): Promise<void> {
    await opened.page
      .locator(".tally div", { hasText: "ready" })
      .locator("dd", { hasText: RegExp(`^${count}$`) })
      .waitFor();
    await opened.page
      .locator(".tally div", { hasText: "waiting" })
      .locator("dd", { hasText: /^0$/ })
      .waitFor();
  }

  /** Stops the time of the cluster: a bucket of ages that ends between a preview and the scale would be a difference. */
  async function pauseOnPage(): Promise<void> {
    cluster.clock.pause();
    await opened.page.locator(".clock", { hasText: "paused" }).waitFor();
  }

  /** Moves the slider, and reads which Pods the page marks: in order, each with its reason; the first row has the words. */
  async function previewOf(
    replicas: number,
    words: string,
  ): Promise<readonly { pod: string; reason: string }[]> {
    await opened.page.locator("#scale-to").fill(String(replicas));
    const rows = opened.page.locator(".removals tbody tr");
    await rows.first().filter({ hasText: words }).waitFor();
    return rows.evaluateAll((all) =>
      all.map((row) => ({
        pod: row.querySelector("th")?.textContent ?? "",
        reason: row.querySelector("td.sentence")?.textContent ?? "",
      })),
    );
  }

  /** Presses the buttons that scale, and reads from the cluster's own records what then happened. */
  async function scaleOnPage(replicas: number): Promise<RemovalRecord> {
    const { page } = opened;
    await page.getByRole("button", { name: `Scale to ${replicas}`, exact: true }).click();
    await expect(page.locator(".confirm code").textContent()).resolves.toBe(
      `kubectl scale deployment/web -n default --replicas=${replicas}`,
    );
    await page.getByRole("button", { name: `Scale to ${replicas} now` }).click();
    await page.locator(".confirm [role=status]", { hasText: "scaled" }).waitFor();
    const latest = () =>
      page.evaluate(async () => {
        const answer = await fetch("/debug/decisions");
        return ((await answer.json()) as { removals: RemovalRecord[] }).removals[0];
      });
    return vi.waitFor(async () => (await latest()) ?? Promise.reject(new Error("nothing was removed")), {
      timeout: 60_000,
    });
  }

  const gone = ({ candidates }: RemovalRecord) =>
    candidates.filter(({ verdict }) => verdict === "goes").map(({ pod, reason }) => ({ pod, reason }));

  test("the scale-down label: the labelled Pod is marked first, and goes first", async () => {
    await runWeb({ replicas: 6 });
    const [first] = (await cluster.client.list(pods, { namespace: "default" })).items;
    const labelled = { namespace: "default", name: first?.metadata.name ?? "" };
    const body = { metadata: { labels: { [preferredLabel]: "yes" } } };
    await cluster.client.patch(pods, labelled, { type: "merge", body });
    await opened.visit(address);
    await pauseOnPage();
    const preview = await previewOf(2, "preferred");
    expect(preview[0]?.pod).toBe(labelled.name);
    expect(gone(await scaleOnPage(2))).toEqual(preview);
  });

  test("logarithmic buckets: of Pods of different ages the page marks those that then go", async () => {
    await runWeb({ replicas: 3 });
    await cluster.clock.advance(3_600_000);
    await cluster.client.patch(deployments, name, { type: "merge", body: { spec: { replicas: 6 } } });
    await readyOnPage(6);
    await opened.visit(address);
    await pauseOnPage();
    const preview = await previewOf(3, "ready-time: Ready for");
    expect(preview.map(({ pod }) => pod)).toHaveLength(3);
    expect(gone(await scaleOnPage(3))).toEqual(preview);
  });

  test("a pod picker: the page says that it would be asked, and afterwards what it answered", async () => {
    const picker = await startHttpPicker(({ candidates }) => ({
      does: "answer",
      chosen: candidates.slice(-1),
    }));
    try {
      // The default of a second is too short for a busy machine.
      const http = { host: "127.0.0.1", port: picker.port };
      await runWeb({ replicas: 4, picker: { http, timeoutSeconds: 30 } });
      await opened.visit(address);
      await opened.page.locator("#scale-to").fill("3");
      await opened.page
        .locator(".preview .notice", { hasText: "would be asked to choose 1 of 4 Pods" })
        .waitFor();
      expect(picker.received).toHaveLength(0);
      await opened.page.getByRole("button", { name: "Ask the picker" }).click();
      await opened.page.locator(".preview .notice", { hasText: "The pod picker of" }).waitFor();
      const [preview] = await previewOf(3, "picker");
      expect([preview?.pod]).toEqual(picker.received[0]?.candidates.slice(-1));
      // Nothing was removed by that.
      await readyOnPage(4);
      const record = await scaleOnPage(3);
      expect(gone(record)).toEqual([preview]);
      expect(picker.received).toHaveLength(2);
      await opened.visit("#/decisions");
      const entry = opened.page.locator(".decisions li", { hasText: `removes ${gone(record)[0]?.pod}` });
      await entry.locator("summary").click();
      await entry.locator(".picker", { hasText: "asked to choose 1 of 4 Pods and chose 1" }).waitFor();
    } finally {
      await picker.close();
    }
  });

  test("the replacement policy: the page says that the rollout waits for terminating Pods", async () => {
    await runWeb({ replicas: 4, policy: "TerminationComplete", maxSurge: 0, maxUnavailable: 2 });
    await opened.visit(address);
    await opened.page.locator(".headline", { hasText: "Rolled out." }).waitFor();
    // Longer than a busy machine needs to show it.
    const annotations = { "sim.trimtab.dev/terminationDelay": "25s" };
    for (const { metadata } of (await cluster.client.list(pods, { namespace: "default" })).items) {
      const pod = { namespace: "default", name: metadata.name };
      await cluster.client.patch(pods, pod, { type: "merge", body: { metadata: { annotations } } });
    }
    await opened.page.getByRole("button", { name: "Restart rollout" }).click();
    await opened.page.getByRole("button", { name: "Restart rollout now" }).click();
    await opened.page.locator(".headline.waits", { hasText: "terminating" }).waitFor();
    await cluster.clock.advance(120_000);
    await opened.page.locator(".headline", { hasText: "Rolled out." }).waitFor();
    expect((await cluster.client.list(replicaSets, {})).items).toHaveLength(2);
  });

  test("default spreading: the Pods are even over the zones, and a Pod says by which defaults", async () => {
    await runWeb({ replicas: 6 });
    await opened.page.locator(".skew", { hasText: "skew 0 between 3 zones" }).waitFor();
    expect(await opened.page.locator(".zone-pods").allTextContents()).toEqual(["2 Pods", "2 Pods", "2 Pods"]);
    await opened.page.locator(".map .pod").first().click();
    await opened.page.locator(".waits-list li", { hasText: "the built-in defaults" }).first().waitFor();
    await opened.page.locator("tr.chosen").waitFor();

    await opened.visit(address);
    await opened.page.locator("#scale-to").fill("9");
    const zones = opened.page.locator(".placements .zone-cell");
    await zones.nth(2).waitFor();
    expect((await zones.allTextContents()).toSorted()).toEqual(["zone-a", "zone-b", "zone-c"]);
    await opened.page.getByRole("button", { name: "Scale to 9", exact: true }).click();
    await opened.page.getByRole("button", { name: "Scale to 9 now" }).click();
    await readyOnPage(9);
    await opened.visit("#/cluster");
    const zonePods = opened.page.locator(".zone-pods");
    await zonePods.filter({ hasText: "3 Pods" }).nth(2).waitFor();
    expect(await zonePods.allTextContents()).toEqual(["3 Pods", "3 Pods", "3 Pods"]);
  });
});
