import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { nodes } from "../../src/api/resources.ts";
import { bindServer, closeServer } from "../../src/machinery/https-server/bind-server.ts";
import {
  buildPage,
  chromiumPath,
  launchBrowser,
  newWindow,
  openPage,
  startShownCluster,
} from "./page-in-browser.ts";

/** A web server on another port of this machine, which browsers take for the same site, with one empty page. */
async function startOtherSite(): Promise<string> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { "Content-Type": "text/html" });
    response.end("<!doctype html><title>another page</title>");
  });
  await bindServer(server, "127.0.0.1", 0);
  onTestFinished(() => closeServer(server));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** What a script in a page gets from a request with all cookies the browser gives it. */
function fetchFrom(page: Page, url: string, init: object = {}): Promise<string> {
  return page.evaluate(
    async ([target, options]) => {
      try {
        const answer = await fetch(target, { credentials: "include", ...options });
        return `${answer.type} ${answer.status} ${(await answer.text()).length > 0 ? "text" : "empty"}`;
      } catch (error) {
        return error instanceof TypeError ? "blocked" : String(error);
      }
    },
    [url, init] as const,
  );
}

const cordon = { method: "POST", body: JSON.stringify({ action: "cordon", node: "node-1" }) };

describe.skipIf(chromiumPath === undefined)("in a browser that has opened the page", () => {
  let bundle: Awaited<ReturnType<typeof buildPage>>;
  let browser: Browser;
  beforeAll(async () => {
    [bundle, browser] = await Promise.all([buildPage(), launchBrowser()]);
  });
  afterAll(async () => {
    await browser.close();
    bundle.remove();
  });

  async function opened() {
    const cluster = await startShownCluster({ folder: bundle.folder, nodes: 2 });
    onTestFinished(() => cluster.stop());
    const link = cluster.newLink();
    const { page } = await openPage(browser, link);
    onTestFinished(() => page.context().close());
    return { cluster, page, link, origin: new URL(link).origin };
  }

  const isCordoned = async ({ cluster }: Awaited<ReturnType<typeof opened>>) =>
    (await cluster.client.get(nodes, { name: "node-1" })).spec?.unschedulable === true;

  test("a page of another port reads nothing and changes nothing, though the browser sends it the cookie", async () => {
    const shown = await opened();
    const { page, origin } = shown;
    const other = await page.context().newPage();
    await other.goto(await startOtherSite());
    for (const path of ["/cluster.json", "/api/v1/pods", "/debug/decisions", "/"])
      expect(await fetchFrom(other, `${origin}${path}`)).toBe("blocked");
    expect(await fetchFrom(other, `${origin}/cluster.json`, { mode: "no-cors" })).toBe("blocked");
    const json = { "Content-Type": "application/json", "Trimtab-Page": "1" };
    expect(await fetchFrom(other, `${origin}/do`, { ...cordon, headers: json })).toBe("blocked");
    expect(await fetchFrom(other, `${origin}/do`, { ...cordon, mode: "no-cors" })).toBe("blocked");
    expect(await isCordoned(shown)).toBe(false);
    expect(await fetchFrom(page, `${origin}/do`, { ...cordon, headers: json })).toBe("basic 200 text");
    expect(await isCordoned(shown)).toBe(true);
  });

  test("a page of another port cannot frame it", async () => {
    const { page, origin } = await opened();
    const other = await page.context().newPage();
    await other.goto(await startOtherSite());
    const violated = other.waitForEvent("console", (message) => message.text().includes("frame-ancestors"));
    const frame = `Object.assign(document.createElement("iframe"), { src: ${JSON.stringify(origin)} })`;
    await other.evaluate(`document.body.append(${frame})`);
    await violated;
  });

  test("its own scripts reach no other server, and cannot read the cookie", async () => {
    const { page } = await opened();
    expect(await fetchFrom(page, await startOtherSite(), { mode: "no-cors" })).toBe("blocked");
    expect(await page.evaluate("document.cookie")).toBe("");
  });

  test("the link opens no second browser, which is told what to do", async () => {
    const { link } = await opened();
    const second = await newWindow(browser);
    onTestFinished(() => second.close());
    const page = await second.newPage();
    for (const address of [link, new URL("/", link).href]) {
      const answer = await page.goto(address);
      expect(answer?.status()).toBe(401);
      expect(await page.locator("main").textContent()).toContain("press Enter there: a new link is printed");
    }
  });

  test("a link in a page of another site opens it", async () => {
    const { cluster } = await opened();
    const context = await newWindow(browser);
    onTestFinished(() => context.close());
    const other = await context.newPage();
    await other.goto((await startOtherSite()).replace("127.0.0.1", "localhost"));
    await other.evaluate(`void (location.href = ${JSON.stringify(cluster.newLink())})`);
    await other.locator(".status.live").waitFor();
  });
});
