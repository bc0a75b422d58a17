import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import {
  customResourceDefinitions,
  deployments,
  jobs,
  nodes,
  pods,
  replicaSets,
} from "../../src/api/resources.ts";
import { deployment } from "../../src/testing/deployment.ts";
import { job } from "../../src/testing/job.ts";
import {
  buildPage,
  chromiumPath,
  launchBrowser,
  type Look,
  openPage,
  type ShownCluster,
  type ShownClusterOptions,
  startShownCluster,
  takePicture,
  takeScreenshot,
  violations,
} from "./page-in-browser.ts";

describe.skipIf(chromiumPath === undefined)("the page", () => {
  let bundle: Awaited<ReturnType<typeof buildPage>>;
  let browser: Browser;
  beforeAll(async () => {
    [bundle, browser] = await Promise.all([buildPage(), launchBrowser()]);
  });
  afterAll(async () => {
    await browser.close();
    bundle.remove();
  });

  async function shownCluster(options: Partial<ShownClusterOptions> = {}) {
    const cluster = await startShownCluster({ folder: bundle.folder, ...options });
    onTestFinished(() => cluster.stop());
    const run = async (name: string, replicas: number) => {
      const { metadata: _, ...rest } = deployment(name, { replicas });
      await cluster.client.create(deployments, { ...rest, metadata: { name, namespace: "default" } });
    };
    const open = async (look?: Look) => {
      const opened = await openPage(browser, cluster.newLink(), look);
      onTestFinished(() => opened.page.context().close());
      return opened;
    };
    return { ...cluster, run, open };
  }

  /** A Job that waits: it is suspended. */
  async function runJob(client: ShownCluster["client"]) {
    const { spec } = job("pi", { suspend: true });
    const { selector: _, ...rest } = spec;
    const template = { ...spec.template, metadata: {} };
    await client.create(jobs, {
      metadata: { name: "pi", namespace: "default" },
      spec: { ...rest, template },
    });
  }

  /** A custom kind with a scale, and an object whose Pods are those of the Deployment web. */
  async function defineWidgets(client: ShownCluster["client"]) {
    await client.create(customResourceDefinitions, {
      metadata: { name: "widgets.example.com" },
      spec: {
        group: "example.com",
        names: { kind: "Widget", plural: "widgets" },
        scope: "Namespaced",
        versions: [
          {
            name: "v1",
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
            subresources: {
              scale: {
                specReplicasPath: ".spec.replicas",
                statusReplicasPath: ".status.replicas",
                labelSelectorPath: ".status.selector",
              },
            },
          },
        ],
      },
    });
    const widgets = {
      group: "example.com",
      version: "v1",
      kind: "Widget",
      plural: "widgets",
      namespaced: true,
    };
    const widget = {
      metadata: { name: "one", namespace: "default" },
      spec: { replicas: 5 },
      status: { replicas: 5, selector: "app=web" },
    };
    await vi.waitFor(() => client.create(widgets, widget as never), 10_000);
  }

  /** A legal name, as long as one may be. */
  const longName = (what: string) => `${what}-${"long-".repeat(60)}`.slice(0, 252) + "z";

  /** A node, a Pod on it and a ReplicaSet with names that are as long as they may be. */
  async function runLongNames(client: ShownCluster["client"]) {
    await client.create(nodes, {
      metadata: {
        name: longName("node"),
        labels: { "topology.kubernetes.io/zone": longName("zone").slice(0, 62) + "z" },
        annotations: { "kwok.x-k8s.io/node": "fake" },
      },
      spec: {},
    });
    const containers = [{ name: "app", image: `registry.example/${longName("image")}:1` }];
    // Its placement is a decision.
    await client.create(pods, {
      metadata: { name: longName("pod"), namespace: "default" },
      spec: { containers },
    });
    const spec = { containers, nodeName: longName("node") };
    const labels = { app: "long" };
    await client.create(replicaSets, {
      metadata: { name: longName("set"), namespace: "default" },
      spec: { replicas: 1, selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
    });
  }

  /** What is wider than the window: the page itself, tables on a wide screen, and columns on any. */
  const whatIsTooWide = `[
    ...(document.documentElement.scrollWidth > innerWidth ? ["the page"] : []),
    ...[...document.querySelectorAll(".scroll")]
      .filter((each) => innerWidth > 1000 && each.scrollWidth > each.clientWidth + 1)
      .map((each) => "table " + each.ariaLabel + " " + each.scrollWidth),
    ...[...document.querySelectorAll("main td:not(.sentence), main th")]
      .filter((each) => each.getBoundingClientRect().width > innerWidth * 0.8)
      .map((each) => "column " + each.textContent.slice(0, 40)),
  ]`;

  const tally = (page: Page, name: string, count: number) =>
    page.locator(".tally div", { hasText: name }).locator("dd", { hasText: RegExp(`^${count}$`) });

  test.for<Look & { name: string }>([
    { name: "light" },
    { name: "dark", colorScheme: "dark" },
    { name: "narrow", width: 360 },
  ])(
    "every view in $name is readable by everyone, and nothing is wider than the window",
    async ({ name, ...look }) => {
      const cluster = await shownCluster();
      await cluster.run("web", 5);
      await runJob(cluster.client);
      await defineWidgets(cluster.client);
      const { page, visit, errors } = await cluster.open(look);
      await tally(page, "ready", 5).waitFor();
      const [first] = (await cluster.client.list(pods, {})).items;
      const views = [
        { view: "cluster", address: "#/cluster", shows: ".map .pod" },
        { view: "workloads", address: "#/workloads", shows: "tbody tr" },
        { view: "workload", address: "#/workloads/Deployment/default/web", shows: ".gauge-bar" },
        { view: "job", address: "#/workloads/Job/default/pi", shows: "section[aria-label=Job] .headline" },
        {
          view: "custom",
          address: "#/workloads/Widget.example.com/default/one",
          shows: "section[aria-label=Scale]",
        },
        { view: "pod", address: `#/pods/default/${first?.metadata.name}`, shows: "tr.chosen" },
        { view: "node", address: "#/nodes/node-1", shows: ".facts" },
        { view: "decisions", address: "#/decisions?kind=all", shows: ".decisions li" },
      ];
      for (const { view, address, shows } of views) {
        await visit(address);
        await page.locator(shows).first().waitFor();
        if (view === "workload") {
          await page.locator("#scale-to").fill("2");
          await page.locator(".removals tbody tr").first().waitFor();
        }
        const tooWideBy = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
        expect({ view, tooWideBy, violations: await violations(page) }).toEqual({
          view,
          tooWideBy: 0,
          violations: [],
        });
        expect(await takeScreenshot(page, `${view}-${name}`)).toBeGreaterThan(1000);
      }
      expect(errors).toEqual([]);
    },
  );

  test.for([1440, 390])(
    "names of 253 characters push nothing out of a window of %i pixels",
    async (width) => {
      const cluster = await shownCluster({ nodes: 3 });
      await runLongNames(cluster.client);
      const { page, visit, errors } = await cluster.open({ width });
      await tally(page, "ready", 2).waitFor();
      const views = [
        { address: "#/cluster?show=names", shows: ".map .pod" },
        { address: "#/workloads", shows: "tbody tr" },
        { address: `#/workloads/ReplicaSet/default/${longName("set")}`, shows: "#scale-to" },
        { address: `#/pods/default/${longName("pod")}`, shows: ".facts" },
        { address: `#/nodes/${longName("node")}`, shows: ".facts" },
        { address: "#/decisions?kind=all", shows: ".decisions li" },
      ];
      for (const { address, shows } of views) {
        await visit(address);
        await page.locator(shows).first().waitFor();
        if (shows === "#scale-to") {
          await page.locator("#scale-to").fill("0");
          await page.locator(".removals tbody tr").first().waitFor();
        }
        expect({ address, tooWide: await page.evaluate<string[]>(whatIsTooWide) }).toEqual({
          address,
          tooWide: [],
        });
        await takeScreenshot(page, `long-${shows.replaceAll(/\W+/g, "")}-${width}`);
      }
      expect(errors).toEqual([]);
    },
  );

  test("an API server that goes away is said on the page, which goes on by itself when it is back", async () => {
    const cluster = await shownCluster();
    await cluster.run("web", 2);
    const { page } = await cluster.open();
    await tally(page, "ready", 2).waitFor();
    cluster.goAway();
    await page.locator(".notice.bad", { hasText: "Connection lost at" }).waitFor();
    await page.locator(".status.lost").waitFor();
    await cluster.run("other", 3);
    cluster.comeBack();
    await page.locator(".status.live").waitFor();
    await tally(page, "ready", 5).waitFor();
    expect(await page.locator(".notice.bad").count()).toBe(0);
  });

  test("hostile names, labels and messages are text", async () => {
    const cluster = await shownCluster();
    const markup = '<img src=x onerror="window.hacked=1">';
    await cluster.client.create(nodes, {
      metadata: {
        name: "evil",
        labels: { "topology.kubernetes.io/zone": "evil-zone" },
        annotations: { note: markup },
      },
      spec: { taints: [{ key: "evil", value: "x", effect: "NoExecute" }] },
    });
    await cluster.client.create(pods, {
      metadata: {
        name: "evil",
        namespace: "default",
        annotations: { note: markup },
        labels: { app: "constructor" },
      },
      spec: { containers: [{ name: "c", image: markup }], nodeSelector: { "no.such/label": "constructor" } },
    });
    const { page, visit, errors } = await cluster.open();
    await page.getByRole("link", { name: /^evil, pending/ }).waitFor();
    for (const address of [
      "#/nodes/evil",
      "#/pods/default/evil",
      `#/pods/default/${encodeURIComponent(markup)}`,
    ]) {
      await visit(address);
      await page.locator("main h1").waitFor();
    }
    await page.locator("h1", { hasText: markup }).waitFor();
    await visit("#/cluster");
    await page.locator(".toolbar input[type=search]").fill(markup);
    expect(await page.evaluate("[window.hacked === undefined, document.images.length]")).toEqual([true, 0]);
    expect(errors).toEqual([]);
  });

  test("dragging the timeline shows the cluster as it was, and a key brings it back", async () => {
    const cluster = await shownCluster();
    const { page } = await cluster.open();
    await tally(page, "nodes", 6).waitFor();
    // The moment before the Deployment has to be on the timeline, which counts in seconds.
    await vi.waitFor(
      async () => expect(await page.evaluate<number>("moment.max - moment.min")).toBeGreaterThanOrEqual(2),
      { timeout: 60_000 },
    );
    await cluster.run("web", 4);
    await tally(page, "ready", 4).waitFor();
    const slider = page.locator("#moment");
    await slider.focus();
    await page.keyboard.press("Home");
    await page.locator(".timeline.past output", { hasText: "The cluster as it was at" }).waitFor();
    await tally(page, "ready", 0).waitFor();
    expect(await page.locator(".map .pod").count()).toBe(0);
    await page.getByRole("button", { name: "Back to now" }).click();
    await tally(page, "ready", 4).waitFor();
  });

  test("the map is one stop of the Tab key, and arrow keys move inside", async () => {
    const cluster = await shownCluster();
    await cluster.run("web", 3);
    const { page } = await cluster.open();
    await tally(page, "ready", 3).waitFor();
    await page.locator(".map").focus();
    await page.keyboard.press("ArrowRight");
    const focused = () => page.evaluate<string>("document.activeElement.getAttribute('aria-label')");
    expect(await focused()).toContain("node-1, ");
    await page.keyboard.press("ArrowDown");
    expect(await focused()).not.toContain("node-1, ");
    await page.keyboard.press("Enter");
    await page.locator("main h1").waitFor();
  });

  test("another cluster is read only: no buttons, no records, and the removal order of Kubernetes", async () => {
    const facts = { mode: "other", writes: false, records: [], removalProfile: "kubernetes-1.36" } as const;
    const cluster = await shownCluster({ facts });
    await cluster.run("web", 4);
    const { page, visit } = await cluster.open();
    await tally(page, "ready", 4).waitFor();
    expect(await page.getByRole("button", { name: "Fail zone" }).count()).toBe(0);
    await visit("#/workloads/Deployment/default/web");
    await page.locator("#scale-to").fill("2");
    await page.locator(".preview", { hasText: "By the order of kube-controller-manager 1.36" }).waitFor();
    await page.locator(".removals a").first().click();
    await page.locator("p", { hasText: "This cluster keeps no records of placements." }).waitFor();
    await page.locator("tr.chosen").waitFor();
    await visit("#/decisions");
    await page.locator(".empty", { hasText: "keeps no records of decisions" }).waitFor();
  });

  test("a zone is failed and a node is cordoned by buttons that show the kubectl line", async () => {
    const cluster = await shownCluster();
    const { page, visit } = await cluster.open();
    await page.getByRole("button", { name: "Fail zone" }).first().click();
    await page
      .locator(".confirm code", { hasText: "kubectl annotate nodes -l topology.kubernetes.io/zone=zone-a" })
      .waitFor();
    await page.getByRole("button", { name: "Fail zone now" }).click();
    await page.getByRole("button", { name: "OK" }).click();
    await page.getByRole("button", { name: "Restore zone" }).waitFor();
    await visit("#/nodes/node-2");
    const cordon = page.getByRole("button", { name: "Cordon", exact: true });
    await cordon.focus();
    for (const key of ["Enter", "Escape"]) await page.keyboard.press(key);
    await cordon.waitFor();
    await page.keyboard.press("Enter");
    await page.locator(".confirm button:focus", { hasText: "Cordon now" }).waitFor();
    await page.keyboard.press("Enter");
    await page.locator(".facts dd", { hasText: "cordoned" }).waitFor();
  });

  test("eight tabs share the connections of a browser: some pause, say so, and go on when others close or are hidden", async () => {
    const cluster = await shownCluster();
    const { page: first } = await cluster.open();
    const tabs = [first];
    while (tabs.length < 8) {
      const tab = await first.context().newPage();
      await tab.goto(first.url());
      tabs.push(tab);
    }
    const statusOf = (tab: Page) => tab.locator(".status").textContent();
    /** The tabs by their status, once so many are live. */
    const whenLive = (count: number) =>
      vi.waitFor(
        async () => {
          const statuses = await Promise.all(tabs.map(statusOf));
          const of = (status: string) => tabs.filter((_, index) => statuses[index] === status);
          const [live, paused] = [of("live"), of("paused")];
          expect([live.length, paused.length]).toEqual([count, tabs.length - count]);
          return { live, paused };
        },
        { timeout: 60_000 },
      );
    const { live, paused } = await whenLive(4);
    await paused[0]?.locator(".notice", { hasText: "other tabs of this page have them" }).waitFor();
    expect(await paused[0]?.evaluate("fetch('/cluster.json').then(({ status }) => status)")).toBe(200);
    const [closed, hidden] = live;
    await closed?.close();
    tabs.splice(
      tabs.findIndex((tab) => tab === closed),
      1,
    );
    await whenLive(4);
    const hide = 'Object.defineProperty(document, "visibilityState", { value: "hidden" })';
    await hidden?.evaluate(`${hide}; document.dispatchEvent(new Event("visibilitychange"))`);
    await hidden?.locator(".status", { hasText: "paused" }).waitFor();
    await cluster.run("web", 2);
    const after = await whenLive(4);
    for (const tab of after.live) await tally(tab, "ready", 2).waitFor();
  });

  test("placements are decisions too: found by words, each with its sentence and the verdict on every node", async () => {
    const cluster = await shownCluster();
    await cluster.run("web", 3);
    const { page, visit } = await cluster.open();
    await tally(page, "ready", 3).waitFor();
    const [first] = (await cluster.client.list(pods, {})).items;
    await visit("#/decisions");
    await page.getByRole("combobox", { name: "Kind of decision" }).selectOption("placement");
    await page
      .getByRole("status")
      .filter({ hasText: /^3 of / })
      .waitFor();
    await page.getByRole("searchbox", { name: "Search decisions" }).fill(`${first?.metadata.name} best`);
    const entry = page.locator(".decisions li");
    await entry.filter({ hasText: `${first?.spec.nodeName}: best of 6` }).waitFor();
    await entry.locator("summary").click();
    await entry.locator("tr.chosen", { hasText: first?.spec.nodeName ?? "" }).waitFor();
    expect(await entry.locator("tbody tr").count()).toBe(6);
    expect(await violations(page)).toEqual([]);
  });

  test("a Pod that was removed says by which rule, and links to the decision and back", async () => {
    const cluster = await shownCluster();
    await cluster.run("web", 4);
    const { page, visit } = await cluster.open();
    await tally(page, "ready", 4).waitFor();
    const before = (await cluster.client.list(pods, {})).items.map(({ metadata }) => metadata.name);
    await cluster.client.patch(
      deployments,
      { namespace: "default", name: "web" },
      { type: "merge", body: { spec: { replicas: 3 } } },
    );
    await tally(page, "ready", 3).waitFor();
    const left = (await cluster.client.list(pods, {})).items.filter(
      ({ metadata }) => !("deletionTimestamp" in metadata),
    );
    const gone = before.find((name) => !left.some(({ metadata }) => metadata.name === name)) ?? "";
    await visit(`#/pods/default/${gone}`);
    await page
      .locator("section[aria-label=End] .headline", { hasText: /Ended by ReplicaSet web-/ })
      .waitFor();
    await page.locator(".events b", { hasText: "Scheduled" }).waitFor();
    await page.getByRole("link", { name: "the decision, with all candidates" }).click();
    await page.locator(".decisions summary").first().click();
    await page.locator("tr.goes").getByRole("link", { name: gone }).click();
    await page.locator("h1", { hasText: gone }).waitFor();
    expect(await violations(page)).toEqual([]);
  });

  test("a filter, colours and the size of the map are in the address, and keep the focus", async () => {
    const cluster = await shownCluster();
    await cluster.run("web", 3);
    await cluster.run("api", 2);
    const { page } = await cluster.open();
    await tally(page, "ready", 5).waitFor();
    await page.locator('[data-density="names"] .named').first().waitFor();
    await page.getByRole("searchbox").pressSequentially("web-");
    await page.getByRole("radio", { name: "nodes" }).check();
    await page.locator('[data-density="nodes"] .heat').first().waitFor();
    await page.getByRole("button", { name: "api" }).click();
    expect(await page.evaluate("location.hash")).toBe(
      "#/cluster?search=web-&of=Deployment%2Fdefault%2Fapi&show=nodes",
    );
    expect(await violations(page)).toEqual([]);
  });

  test("a page of one namespace lists it alone, and says so", async () => {
    const cluster = await shownCluster({ facts: { namespace: "shop" } });
    await cluster.run("web", 3);
    const { page } = await cluster.open();
    await page.locator(".notice", { hasText: "Only namespace shop is listed" }).waitFor();
    await tally(page, "nodes", 6).waitFor();
    await tally(page, "ready", 0).waitFor();
    expect(await page.locator(".map .pod").count()).toBe(0);
  });

  test("the picture in the documentation is one of this page", async () => {
    const cluster = await shownCluster({ nodes: 12 });
    await cluster.run("web", 12);
    await cluster.run("api", 8);
    await cluster.run("worker", 10);
    const { page } = await cluster.open();
    await tally(page, "ready", 30).waitFor();
    await page.locator('[data-density="names"] .named').nth(29).waitFor();
    expect(await takePicture(page, "docs/page.png")).toBeGreaterThan(10_000);
  });

  test("the switch decides against the colours of the system", async () => {
    const cluster = await shownCluster();
    const { page } = await cluster.open({ colorScheme: "dark" });
    const paper = () => page.evaluate<string>("getComputedStyle(document.body).backgroundColor");
    const dark = await paper();
    const button = page.getByRole("button", { name: /^Colours/ });
    await button.click();
    await page.locator('html[data-theme="dark"]').waitFor();
    expect(await paper()).toBe(dark);
    await button.click();
    await page.locator('html[data-theme="light"]').waitFor();
    expect(await paper()).not.toBe(dark);
  });
});
