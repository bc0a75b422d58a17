import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { deployments } from "../../src/api/resources.ts";
import { readSnapshot } from "../../src/simulation/snapshot/read-snapshot.ts";
import { deployment } from "../../src/testing/deployment.ts";
import { readLink } from "../../ui/playground/share-link.ts";
import {
  buildPage,
  chromiumPath,
  launchBrowser,
  openPage,
  startShownCluster,
  takeScreenshot,
  violations,
} from "./page-in-browser.ts";

describe.skipIf(chromiumPath === undefined)("moments of the page", () => {
  let bundle: Awaited<ReturnType<typeof buildPage>>;
  let browser: Browser;
  const folder = mkdtempSync(path.join(tmpdir(), "trimtab-moments-"));
  beforeAll(async () => {
    [bundle, browser] = await Promise.all([buildPage(), launchBrowser()]);
  });
  afterAll(async () => {
    await browser.close();
    bundle.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  /** A cluster with five Pods that was opened, and then scaled to three. */
  async function scaledDown() {
    const cluster = await startShownCluster({ folder: bundle.folder });
    onTestFinished(() => cluster.stop());
    const { metadata: _, ...rest } = deployment("web", { replicas: 5 });
    await cluster.client.create(deployments, { ...rest, metadata: { name: "web", namespace: "default" } });
    const opened = await openPage(browser, cluster.newLink());
    onTestFinished(() => opened.page.context().close());
    await opened.page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await ready(opened.page, 5);
    const name = { namespace: "default", name: "web" };
    await cluster.client.patch(deployments, name, { type: "merge", body: { spec: { replicas: 3 } } });
    await ready(opened.page, 3);
    return { cluster, ...opened };
  }

  const ready = (page: Page, count: number) =>
    page
      .locator(".tally div", { hasText: "ready" })
      .locator("dd", { hasText: RegExp(`^${count}$`) })
      .waitFor();

  /** Opens the recorded removal and goes to the moment before it. */
  async function showBefore({ page, visit }: Awaited<ReturnType<typeof scaledDown>>) {
    await visit("#/decisions");
    await page.locator(".decisions summary").first().click();
    await page.getByRole("button", { name: "Show the cluster just before" }).click();
    await page.locator(".timeline.past").waitFor();
  }

  async function saved(page: Page, button: string): Promise<string> {
    const downloading = page.waitForEvent("download");
    await page.getByRole("button", { name: button }).first().click();
    const file = path.join(folder, "saved.yaml");
    await (await downloading).saveAs(file);
    return readFileSync(file, "utf8");
  }

  test("the address has the chosen decision and the moment, in every view, and leads back to them", async () => {
    const opened = await scaledDown();
    const { page, visit } = opened;
    await showBefore(opened);
    const hash = () => page.evaluate<string>("location.hash");
    await vi.waitFor(async () => expect(await hash()).toMatch(/open=removal.*at=2\d{3}-/), 10_000);
    const chosen = await hash();
    await visit("#/cluster");
    await ready(page, 5);
    await vi.waitFor(async () => expect(await hash()).toContain("#/cluster?at="), 10_000);
    await page.getByRole("button", { name: "Back to now" }).click();
    await ready(page, 3);
    await vi.waitFor(async () => expect(await hash()).toBe("#/cluster"), 10_000);
    await visit(chosen);
    await page.locator(".decisions details[open]").waitFor();
    await ready(page, 5);
    // Another tab has another history.
    await page.reload();
    await page.locator(".notice", { hasText: "is not kept here" }).waitFor();
    await ready(page, 3);
  });

  test("a decision is copied as a link, which begins just before it under other names", async () => {
    const { page, visit } = await scaledDown();
    await visit("#/decisions");
    await page.locator(".decisions summary").first().click();
    await page.getByRole("button", { name: "Share the decision" }).click();
    await page.locator(".before-it input").fill("https://example.org/playground/");
    await page.locator(".before-it").getByRole("button", { name: "Copy link" }).click();
    await page.locator(".before-it [role=status]", { hasText: "Link copied" }).waitFor();
    const link = new URL(await page.evaluate<string>("navigator.clipboard.readText()"));
    expect(link.href).toMatch(/^https:\/\/example\.org\/playground\/#play=/);
    const read = await readLink(link.hash);
    const text = (read.kind === "play" && read.play.files?.["snapshot.yaml"]) || "";
    expect(text).not.toContain('"web');
    const snapshot = readSnapshot(text, "snapshot.yaml");
    if (!snapshot.ok) throw new Error(snapshot.problems.join());
    const { objects, controllers } = snapshot.snapshot;
    expect(controllers).toBe("embedded");
    // The decision is still to be made: five Pods, of which three are wanted.
    expect([objects.pods.length, objects.replicaSets[0]?.spec?.replicas]).toEqual([5, 3]);
  });

  test("a moment is saved as a file, which the page opens in place of the cluster", async () => {
    const opened = await scaledDown();
    const { page, errors, cluster } = opened;
    await showBefore(opened);
    await page.getByRole("button", { name: "Share moment" }).click();
    const text = await saved(page, "Save as it is");
    expect(text).toContain("name: web");
    await page.getByRole("button", { name: "Back to now" }).click();
    const file = path.join(folder, "moment.yaml");
    writeFileSync(file, text);
    await page.locator(".timeline input[type=file]").setInputFiles(file);
    await page.locator(".notice.saved", { hasText: "moment.yaml. Nothing here is live." }).waitFor();
    await ready(page, 5);
    expect(await page.locator(".map .pod").count()).toBe(5);
    await cluster.client.patch(
      deployments,
      { namespace: "default", name: "web" },
      { type: "merge", body: { spec: { replicas: 4 } } },
    );
    expect(await violations(page)).toEqual([]);
    expect(await takeScreenshot(page, "saved-moment")).toBeGreaterThan(1000);
    expect(await page.getByRole("button", { name: "Fail zone" }).count()).toBe(0);
    await ready(page, 5);
    await page.getByRole("button", { name: "Back to live" }).click();
    await ready(page, 4);
    await page.locator(".status.live").waitFor();
    expect(errors).toEqual([]);
  });

  test("a file that is no moment says why, and markup in it is text", async () => {
    const { page } = await scaledDown();
    const file = path.join(folder, "<img src=x onerror=window.hacked=1>.yaml");
    writeFileSync(
      file,
      "apiVersion: trimtab.dev/v1alpha1\nkind: Snapshot\ntakenAt: <b>never</b>\nobjects: 1\n",
    );
    await page.locator(".timeline input[type=file]").setInputFiles(file);
    await page.locator(".notice.bad", { hasText: "This file cannot be opened." }).waitFor();
    expect(await page.evaluate("window.hacked === undefined")).toBe(true);
    await ready(page, 3);
  });
});
