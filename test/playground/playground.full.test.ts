import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { countsOf, guardDifferences, readGuardTable } from "../../bench/guard.ts";
import { buildPlayground, transferCounts } from "../../bench/playground-transfer.ts";
import { WallClock } from "../../src/machinery/clock/wall-clock.ts";
import { silentLogger } from "../../src/machinery/log/logger.ts";
import { type PlaygroundServer, startPlaygroundServer } from "../../src/page/playground-server.ts";
import { linkOf } from "../../ui/playground/share-link.ts";
import { firstStory, stories } from "../../ui/playground/stories.ts";
import {
  chromiumPath,
  launchBrowser,
  newWindow,
  takePicture,
  takeScreenshot,
  violations,
} from "../page/page-in-browser.ts";

const widget = `apiVersion: example.com/v1
kind: Widget
metadata: { name: one }
spec: { code: ONE }
`;

interface Look {
  readonly width?: number;
  readonly height?: number;
  readonly colorScheme?: "light" | "dark";
}

describe.skipIf(chromiumPath === undefined)("a cluster in a tab", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "trimtab-playground-"));
  let server: PlaygroundServer;
  let browser: Browser;

  beforeAll(async () => {
    await buildPlayground(folder);
    server = await startPlaygroundServer({ port: 0, folder, clock: new WallClock(), log: silentLogger });
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await server.close();
    rmSync(folder, { recursive: true });
  });

  /** Opens the page; `asked` has the addresses of everything that it asked for. */
  async function open(hash = "", { width = 1280, height = 800, colorScheme = "light" }: Look = {}) {
    const context = await newWindow(browser, { colorScheme, viewport: { width, height } });
    const page = await context.newPage();
    const errors: string[] = [];
    const asked: string[] = [];
    page.on("pageerror", (error) => errors.push(error.message));
    page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
    context.on("request", (request) => asked.push(request.url()));
    await page.goto(`${server.url}/${hash}`);
    await page.locator(".status.live").waitFor();
    return { context, page, errors, asked };
  }

  const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
  const ready = (page: Page) => page.locator(".tally div", { hasText: "ready" }).locator("dd");
  const run = async (page: Page, line: string) => {
    await press(page, "Terminal");
    await page.locator(".prompt input").fill(line);
    await page.keyboard.press("Enter");
  };

  test.for([
    { width: 1280, colorScheme: "light", story: "busy-workers" },
    { width: 1280, colorScheme: "dark", story: "drain-a-zone" },
    { width: 390, colorScheme: "light", story: "terminating-counted" },
    { width: 390, colorScheme: "dark", story: "prefer-for-scale-down" },
  ] as const)(
    "the story $story is played to its end, $width wide and $colorScheme",
    async ({ story, ...look }) => {
      const { context, page, errors } = await open(`#story=${story}`, look);
      const { moments } = stories.find(({ name }) => name === story) ?? firstStory;
      for (const [index, { say }] of moments.entries()) {
        // The first by its button, the others at the speed of the reader.
        if (index === 0) await press(page, `Moment 1 of ${moments.length} ▸`);
        else await press(page, "▶ Play");
        await page.getByLabel("Speed").selectOption("1000");
        await expect
          .poll(() => page.locator(".say.moment p").innerText(), { timeout: 60_000 })
          .toBe(say.replaceAll(/\s+/g, " "));
        await takeScreenshot(page, `playground-${story}-${index}`);
        expect(await violations(page)).toEqual([]);
      }
      await press(page, "Plots");
      await page.locator(".plot canvas").nth(2).waitFor();
      expect(await violations(page)).toEqual([]);
      expect(errors).toEqual([]);
      await context.close();
    },
  );

  test("what is sent has the sizes of the committed table (npm run bench -- guard --update)", () => {
    const known = countsOf(readGuardTable(), /^playground/);
    expect(guardDifferences(transferCounts(folder), known)).toEqual([]);
  });

  test("all stories are seen at once in a low window", async () => {
    const { context, page } = await open("", { height: 750 });
    const stories = page.locator(".panel", { has: page.locator(".stories") });
    expect(await stories.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)).toBe(0);
    await context.close();
  });

  test("time stops, steps, and jumps to the next decision", async () => {
    const { context, page } = await open();
    await press(page, "❚❚ Pause");
    const passed = page.locator(".passed");
    const before = await passed.innerText();
    await press(page, "+1 min");
    await expect.poll(() => passed.innerText()).not.toBe(before);
    await expect.poll(() => ready(page).innerText()).toBe("18");
    await run(page, "kubectl delete pods --all --wait=false");
    await press(page, "Next decision");
    expect(await passed.innerText()).toMatch(/^01:0/);
    await context.close();
  });

  test("a line of kubectl and a manifest change the cluster, and mistakes are said by line", async () => {
    const { context, page, errors } = await open();
    await run(page, "kubectl get nodes -o name");
    await expect.poll(() => page.locator(".log").innerText()).toContain("node/node-9");
    await press(page, "Manifests");
    await press(page, "Apply");
    await expect.poll(() => page.locator(".panel:not([hidden]) .applied").innerText()).toContain("mine");
    await page
      .locator("#manifest")
      .fill("apiVersion: apps/v1\nkind: Deploymint\nmetadata: { name: <b>x</b> }\n");
    await page.keyboard.press("Control+Enter");
    await expect
      .poll(() => page.locator(".panel:not([hidden]) .applied").innerText())
      .toContain("manifest:2:7");
    expect(await page.locator(".applied b").count()).toBe(0);
    expect(errors).toEqual([]);
    await context.close();
  });

  test("with the keyboard alone a manifest is completed, checked and applied, and a story is opened", async () => {
    const { context, page, errors } = await open();
    const focus = (name: string) => page.getByRole("button", { name, exact: true }).focus();
    const type = async (text: string, word: string, then = "Enter") => {
      await page.keyboard.type(text);
      await page.locator(".words [aria-selected=true]", { hasText: word }).waitFor();
      await page.keyboard.press(then);
    };
    await focus("Manifests");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab"); // Terminal
    for (let panel = 0; panel < 4; panel++) await page.keyboard.press("Tab");
    await page.keyboard.press("Control+A");
    await page.keyboard.press("Delete");
    await type("apiV", "apiVersion");
    await type("apps", "apps/v1");
    await page.keyboard.press("Enter");
    await type("ki", "kind");
    await type("DaemonS", "DaemonSet", "Tab");
    await page.keyboard.press("Enter");
    expect(await violations(page)).toEqual([]);
    await page.keyboard.type("metadata: { name: everywhere }");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Enter");
    const panel = page.locator(".panel:not([hidden]) .applied");
    await expect.poll(() => panel.innerText()).toContain("spec.template");
    expect(await page.locator(".line-numbers .wrong").count()).toBeGreaterThan(0);
    const labels = "{ app: everywhere }";
    const spec = `spec: { selector: { matchLabels: ${labels} }, template: { metadata: { labels: ${labels} }, spec: { containers: [{ name: a, image: a }] } } }`;
    await page.keyboard.insertText(spec);
    await page.keyboard.press("Control+Enter");
    await expect.poll(() => panel.innerText()).toContain("daemonset.apps/everywhere");
    await focus("Stories");
    await page.keyboard.press("Enter");
    for (let tab = 0; tab < 7; tab++) await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.locator(".say", { hasText: "Replicas are spread" }).waitFor();
    expect(errors).toEqual([]);
    await context.close();
  });

  test("patterns, expressions and schedules are loaded when they are needed", async () => {
    const { context, page, errors } = await open();
    await press(page, "Manifests");
    await page.locator("#manifest").fill(readFileSync("test/playground/rare-kinds.yaml", "utf8"));
    await page.keyboard.press("Control+Enter");
    const panel = page.locator(".panel:not([hidden]) .applied");
    await expect.poll(() => panel.innerText()).toContain("cronjob.batch/tick");
    await press(page, "+1 min");
    await page.locator("#manifest").fill(widget);
    await run(page, "kubectl apply -f manifest.yaml");
    const log = page.locator(".log");
    await expect.poll(() => log.innerText()).toContain("spec.code in body should match '^[a-z]+$'");
    await run(page, `kubectl patch deployment web --type=merge -p '{"spec":{"replicas":50}}'`);
    await expect.poll(() => log.innerText()).toContain("object.spec.replicas <= 20");
    for (let minute = 0; minute < 6; minute++) await press(page, "+1 min");
    await run(page, "kubectl get jobs -o name");
    await expect.poll(() => log.innerText()).toContain("job.batch/tick-");
    expect(errors).toEqual([]);
    await context.close();
  });

  test("a picker that is written in the page is asked, and one that hangs is ended", async () => {
    const { context, page, errors } = await open("#story=own-picker");
    const answer = page.locator(".panel:not([hidden]) .applied");
    await page.getByLabel("Speed").selectOption("30");
    await page.locator(".say.moment").waitFor();
    await press(page, "Picker");
    await page
      .locator("#picker")
      .fill("function pick({ candidates }) { return { chosen_pods: [candidates[4]] }; }");
    await press(page, "Use it");
    await press(page, "▶ Play");
    await expect.poll(() => answer.innerText()).toMatch(/Asked for 3 of 9 Pods.\s+\{"chosen_pods":\["game-/);
    await page.locator("#picker").fill("while (true) {}");
    await press(page, "Use it");
    await press(page, "▶ Play");
    await expect
      .poll(() => answer.innerText(), { timeout: 20_000 })
      .toContain("did not answer within a second");
    expect(errors).toEqual([]);
    await context.close();
  });

  test("a link begins the same cluster elsewhere, and without a network", async () => {
    const scenario = `apiVersion: trimtab.dev/v1alpha1
kind: Scenario
duration: 5m
nodes: 4
manifests:
  - { apiVersion: v1, kind: Pod, metadata: { name: alone }, spec: { containers: [{ name: a, image: a }] } }
`;
    const { context, page, asked } = await open(await linkOf({ scenario, seed: 5 }));
    // What lines of the terminal need comes once the cluster is there.
    await run(page, "kubectl get pods -o name");
    await expect.poll(() => page.locator(".log").innerText()).toContain("pod/alone");
    await context.setOffline(true);
    await run(page, "kubectl get nodes -o name -w");
    await expect.poll(() => page.locator(".log").innerText()).toContain("node/node-4");
    await page.keyboard.press("Control+c");
    await page.getByRole("button", { name: "Copy line" }).waitFor();
    expect(asked.filter((url) => !url.startsWith(server.url))).toEqual([]);
    await context.close();
  });

  test.for([
    { name: "was cut", hash: "#play=AAAA", want: "cannot be read" },
    { name: "names no story", hash: "#story=none", want: "no story none" },
  ])("a link that $name says so, and the page begins anyhow", async ({ hash, want }) => {
    const { context, page } = await open(hash);
    expect(await page.locator(".notice.bad").innerText()).toContain(want);
    await context.close();
  });

  test("a link that is put into the address bar is played, and a reload in a view plays it again", async () => {
    const { context, page, errors } = await open();
    const current = page.locator(".story[aria-current]");
    await page.evaluate('location.hash = "#story=scarce-gpus"');
    await expect.poll(() => current.innerText()).toBe("Never more Pods than GPUs");
    await page.getByRole("link", { name: "Workloads" }).click();
    await page.goBack();
    await page.getByRole("link", { name: "Workloads" }).click();
    await page.reload();
    await expect.poll(() => current.innerText()).toBe("Never more Pods than GPUs");
    expect(errors).toEqual([]);
    await context.close();
  });

  test("a link to a scenario with mistakes says which", async () => {
    const { context, page } = await open(await linkOf({ scenario: "kind: Scenario\nnodez: 3\n", seed: 1 }));
    expect(await page.locator(".notice.bad").innerText()).toContain("nodez");
    await context.close();
  });

  test("the picture in the documentation is one of this playground", async () => {
    const { context, page } = await open("#story=drain-a-zone");
    await page.setViewportSize({ width: 1280, height: 760 });
    const { moments } = stories.find(({ name }) => name === "drain-a-zone") ?? firstStory;
    for (const { say } of moments.slice(0, 2)) {
      await page.locator(".say button").click();
      await expect
        .poll(() => page.locator(".say.moment p").innerText(), { timeout: 60_000 })
        .toBe(say.replaceAll(/\s+/g, " "));
    }
    for (const [line, shows] of [
      ["kubectl get pdb", "MAX UNAVAILABLE"],
      ["kubectl get nodes", "node-9"],
      ["trimtab explain scale-down api --replicas=6", "nothing else differs"],
    ] as const) {
      await run(page, line);
      await expect.poll(() => page.locator(".log").innerText()).toContain(shows);
    }
    await page.locator(".map .pod").first().waitFor();
    expect(await takePicture(page, "docs/playground.png")).toBeGreaterThan(10_000);
    await context.close();
  });
});
