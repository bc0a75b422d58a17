import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Browser, Page } from "playwright-core";
import { chromiumPath, launchBrowser, newWindow } from "../page/page-in-browser.ts";
import { bundled } from "./bundle-core.ts";
import { recordedDigest } from "./recorded-digest.ts";

const seeds = [1, 2, 3, 4, 5];

describe.skipIf(chromiumPath === undefined)("a whole cluster in a browser", () => {
  let browser: Browser;
  let page: Page;
  const wanted: string[] = [];

  beforeAll(async () => {
    const script = await bundled("test/core/in-worker.ts");
    for (const seed of seeds) wanted.push(await recordedDigest(seed));
    browser = await launchBrowser();
    const context = await newWindow(browser);
    await context.route("http://core.test/**", (route) =>
      route.request().url().endsWith(".js")
        ? route.fulfill({ contentType: "text/javascript", body: script })
        : route.fulfill({ contentType: "text/html", body: "<!doctype html><title>core</title>" }),
    );
    page = await context.newPage();
    await page.goto("http://core.test/");
  });
  afterAll(() => browser.close());

  test("the same seed gives the bytes of Node in a page", async () => {
    const digests = await page.evaluate(`(async () => {
      await import("http://core.test/core.js");
      const found = [];
      for (const seed of ${JSON.stringify(seeds)}) found.push(await recordedDigest(seed));
      return found;
    })()`);
    expect(digests).toEqual(wanted);
    expect(new Set(wanted).size).toBe(seeds.length);
  });

  test("and in a worker", async () => {
    const digests = await page.evaluate(`(async () => {
      const worker = new Worker("http://core.test/core.js", { type: "module" });
      const found = [];
      for (const seed of ${JSON.stringify(seeds)}) {
        worker.postMessage(seed);
        found.push(await new Promise((resolve) => (worker.onmessage = ({ data }) => resolve(data))));
      }
      worker.terminate();
      return found;
    })()`);
    expect(digests).toEqual(wanted);
  });
});
