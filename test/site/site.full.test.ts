/** The documentation as a site: its links, what it loads, its reference, its search in a browser. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser } from "playwright-core";
import { build, preview, type PreviewServer } from "vite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { embeddingSchema } from "../../src/cluster/embedding/embedding-options.ts";
import { buildSite } from "../../site/build-site.ts";
import { subpathsOf } from "../../site/reference/write-reference.ts";
import { chromiumPath, launchBrowser, newWindow, violations } from "../page/page-in-browser.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const work = mkdtempSync(path.join(tmpdir(), "trimtab-site-"));
const out = path.join(work, "out");
const versions = ["0.1.0", "0.2.0"];
let dead: readonly string[] = [];

beforeAll(async () => {
  const playground = path.join(work, "playground");
  mkdirSync(playground);
  writeFileSync(path.join(playground, "index.html"), "<!doctype html><title>The playground</title>");
  for (const version of versions) {
    const built = buildSite({ root, out, playground, version });
    dead = [...dead, ...built.dead];
    await build({
      configFile: path.join(root, "ui/site/vite.config.ts"),
      logLevel: "error",
      build: { outDir: built.folder, emptyOutDir: false },
    });
  }
});
afterAll(() => rmSync(work, { recursive: true, force: true }));

const read = (file: string) => readFileSync(path.join(out, file), "utf8");
const htmlFiles = () =>
  readdirSync(out, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".html"));
const valuesOf = (html: string, attribute: string) =>
  [...html.matchAll(new RegExp(` ${attribute}="([^"]*)"`, "g"))].map(([, value = ""]) => value);

/** What a link of a page leads to; `undefined` for those that lead elsewhere. */
function targetOf(file: string, link: string) {
  if (/^(?:https?|data|mailto):/.test(link)) return undefined;
  const [target = "", anchor = ""] = link.split("#");
  return { linked: target === "" ? file : path.join(path.dirname(file), target), anchor };
}

test("every link of every page leads to a file and a heading that are there", () => {
  expect(dead).toEqual([]);
  const anchors = new Map<string, ReadonlySet<string>>();
  const anchorsOf = (file: string) => {
    const known = anchors.get(file) ?? new Set(valuesOf(read(file), "id"));
    anchors.set(file, known);
    return known;
  };
  const isThere = ({ linked, anchor }: { readonly linked: string; readonly anchor: string }) =>
    existsSync(path.join(out, linked)) &&
    (anchor === "" || linked.endsWith("playground/index.html") || anchorsOf(linked).has(anchor));
  const links = htmlFiles().flatMap((file) =>
    [...valuesOf(read(file), "href"), ...valuesOf(read(file), "src")].flatMap((link) => {
      const target = targetOf(file, link);
      return target === undefined ? [] : { from: `${file}: ${link}`, ...target };
    }),
  );
  expect(links.filter((link) => !isThere(link)).map(({ from }) => from)).toEqual([]);
  expect(links.length).toBeGreaterThan(10_000);
});

test("nothing is loaded from elsewhere, and no page may", () => {
  const pages = htmlFiles().filter((file) => !/^index\.html$|playground/.test(file));
  const loaded = pages.flatMap((file) =>
    [...read(file).matchAll(/<(?:script|link|img|iframe)[^>]+(?:src|href)="(?!data:,)([^"]*)"/g)].map(
      ([, link = ""]) => link,
    ),
  );
  expect(loaded.filter((link) => /^[a-z]+:|^\/\//.test(link))).toEqual([]);
  const open = pages.filter((file) => !read(file).includes(`content="default-src 'none'; script-src 'self'`));
  expect(open).toEqual([]);
});

const manifest = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")) as {
  readonly exports: object;
};

test.for(subpathsOf(root, manifest))(
  "the reference has everything that $name exports",
  async ({ name, file }) => {
    const page = read(`0.1.0/reference/${name.replaceAll("/", "-")}.html`);
    const anchors = new Set(valuesOf(page, "id"));
    const exported = Object.keys((await import(file)) as object);
    expect(exported.filter((each) => !anchors.has(each.toLowerCase()))).toEqual([]);
    expect(page).not.toContain("Of another package.");
  },
);

test("the reference has every option of startCluster, with a sentence", () => {
  const page = read("0.1.0/reference/trimtab-cluster.html");
  const [, after = ""] = page.split('<h2 id="embeddedclusteroptions">');
  const [section = ""] = after.split("<h2 ");
  const described = [...section.matchAll(/<li><code>(\w+)\??: [^<]*<\/code>: ./g)].map(
    ([, option]) => option,
  );
  expect(new Set(described)).toEqual(new Set(Object.keys(embeddingSchema.properties ?? {})));
  expect(described).toHaveLength(new Set(described).size);
});

test("versions are beside each other, and the root leads to the newest", () => {
  expect(read("versions.js")).toMatch(
    /^globalThis\.trimtabVersions = \[\{"version":"0\.2\.0".*"version":"0\.1\.0"/,
  );
  expect(read("index.html")).toContain("url=0.2.0/index.html");
});

describe.skipIf(chromiumPath === undefined)("in a browser", () => {
  let browser: Browser;
  let server: PreviewServer;
  let address: string;
  beforeAll(async () => {
    browser = await launchBrowser();
    server = await preview({
      configFile: false,
      root: work,
      logLevel: "error",
      build: { outDir: out },
      preview: { host: "127.0.0.1", port: 0 },
    });
    address = server.resolvedUrls?.local[0] ?? "";
  });
  afterAll(async () => {
    await browser.close();
    await server.close();
  });

  async function open(at: string) {
    const page = await (await newWindow(browser)).newPage();
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(error.message));
    page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
    await page.goto(`${address}${at}`);
    return { page, errors };
  }

  test("the search is used without a mouse, and finds a heading of another page", async () => {
    const { page, errors } = await open("0.2.0/docs/tutorials/index.html");
    await page.keyboard.press("/");
    await page.keyboard.type("scenario asserts");
    await page.locator("#search li a").first().waitFor();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press("Enter");
    await page.waitForURL(/0\.2\.0\/docs\/scenarios\.html/);
    expect(errors).toEqual([]);
  });

  test("another version of the same page is one choice away, and an old page says that it is old", async () => {
    const { page, errors } = await open("0.2.0/docs/doctor.html");
    expect(await page.locator(".old").count()).toBe(0);
    await page.getByRole("combobox", { name: "Version" }).selectOption("0.1.0");
    await page.waitForURL(/0\.1\.0\/docs\/doctor\.html/);
    await page.getByText("The newest release is 0.2.0").waitFor();
    expect(errors).toEqual([]);
  });

  test("a tutorial plays its story beside the text, when it is asked to", async () => {
    const { page } = await open("0.2.0/docs/tutorials/pod-picker.html");
    expect(await page.locator("iframe").count()).toBe(0);
    await page.getByRole("button", { name: "Play this story here" }).click();
    expect(await page.locator("iframe").getAttribute("src")).toBe(
      `${address}0.2.0/playground/index.html#story=busy-workers`,
    );
  });

  test("the pages and the search work from a folder, without a server", async () => {
    const page = await (await newWindow(browser)).newPage();
    await page.goto(`file://${path.join(out, "0.2.0/index.html")}`);
    await page.keyboard.press("/");
    await page.keyboard.type("doctor");
    await page.locator("#search li a").first().click();
    await page.waitForURL(/^file:.*0\.2\.0\/docs\/doctor\.html/);
  });
});
