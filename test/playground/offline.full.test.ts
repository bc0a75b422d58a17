import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildPlayground } from "../../bench/playground-transfer.ts";
import { WallClock } from "../../src/machinery/clock/wall-clock.ts";
import { silentLogger } from "../../src/machinery/log/logger.ts";
import { type PlaygroundServer, startPlaygroundServer } from "../../src/page/playground-server.ts";
import { chromiumPath, launchBrowser, newWindow } from "../page/page-in-browser.ts";

describe.skipIf(chromiumPath === undefined)("the playground without its server", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "trimtab-playground-"));
  const listen = (port: number) =>
    startPlaygroundServer({ port, folder, clock: new WallClock(), log: silentLogger });
  let server: PlaygroundServer;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  const errors: string[] = [];

  beforeAll(async () => {
    await buildPlayground(folder);
    server = await listen(0);
    browser = await launchBrowser();
    context = await newWindow(browser);
    page = await context.newPage();
    page.on("pageerror", (error) => errors.push(error.message));
  });
  afterAll(async () => {
    await browser.close();
    await server.close();
    rmSync(folder, { recursive: true });
  });

  const live = () => page.locator(".status.live").waitFor();
  /** Runs in the page: waits until one version is kept and answers. */
  const kept = (version: string) =>
    page.evaluate(`(async () => {
      const registration = await navigator.serviceWorker.ready;
      const pause = () => new Promise((resolve) => setTimeout(resolve, 20));
      const has = async () => (await caches.keys()).some((name) => name.endsWith(${JSON.stringify(version)}));
      while (!(await has()) || registration.installing || registration.waiting || registration.active.state !== "activated")
        await pause();
    })()`);
  const builtVersion = () =>
    /builtVersion="(\w+)"/.exec(readFileSync(path.join(folder, "service-worker.js"), "utf8"))?.[1] ?? "";
  const replaceIn = (file: string, some: string, other: string) => {
    const name = path.join(folder, file);
    writeFileSync(name, readFileSync(name, "utf8").replaceAll(some, other));
  };

  test("it is opened again, and all of it works", async () => {
    await page.goto(`${server.url}/#story=busy-workers`);
    await live();
    await kept(builtVersion());
    await server.close();
    await page.reload();
    await live();
    await page
      .locator(".say", { hasText: "Ten workers" })
      .or(page.locator(".story[aria-current]"))
      .first()
      .waitFor();
    await page.getByRole("button", { name: "Terminal", exact: true }).click();
    await page.locator(".prompt input").fill("kubectl get nodes -o name");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.locator(".log").innerText()).toContain("node/node-1");
    await page.getByRole("button", { name: "Plots", exact: true }).click();
    await page.locator(".plot canvas").first().waitFor();
    expect(errors).toEqual([]);
  });

  test("a server that has another version is shown at once, and kept", async () => {
    const [before, after] = [builtVersion(), "0123456789abcdef"];
    replaceIn("index.html", "<title>Trimtab playground", "<title>The next playground");
    replaceIn("service-worker.js", before, after);
    server = await listen(Number(new URL(server.url).port));
    await page.reload();
    await live();
    expect(await page.title()).toBe("The next playground");
    await kept(after);
    await server.close();
    await page.reload();
    await live();
    expect(await page.title()).toBe("The next playground");
    expect(errors).toEqual([]);
  });
});
