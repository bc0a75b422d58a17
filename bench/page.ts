import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { type Browser, chromium, type Page } from "playwright-core";
import { build } from "vite";
import { deployments } from "../src/api/resources.ts";
import { loadKubeconfig } from "../src/machinery/client/connection/kubeconfig.ts";
import { HttpsClient } from "../src/machinery/client/http/https-client.ts";
import type { Client } from "../src/machinery/client/client.ts";
import { WallClock } from "../src/machinery/clock/wall-clock.ts";
import { deployment } from "../src/testing/deployment.ts";
import { chromiumPath } from "../test/page/page-in-browser.ts";
import { trimtabFile } from "../test/real-cluster/trimtab-program.ts";
import { type Measure, percentile } from "./measure.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const bundle = path.join(root, "dist", "ui");
const [nodes, replicas, rounds] = [500, 3000, 3];
const clock = new WallClock();

/** The page during 0 → 3,000 Pods on 500 nodes: what it draws, and what it costs the process of the cluster. */
export async function page(): Promise<readonly Measure[]> {
  if (chromiumPath === undefined) {
    console.error("page: there is no chromium (set TRIMTAB_CHROMIUM to the path of one)");
    return [];
  }
  await build({ configFile: path.join(root, "ui", "vite.config.ts"), logLevel: "error" });
  const browser = await chromium.launch({ executablePath: chromiumPath, args: ["--no-sandbox"] });
  try {
    const watched: Watched[] = [];
    const alone: number[] = [];
    // In turn, so that whatever else the machine does is shared by both.
    for (let round = 0; round < rounds; round++) {
      alone.push((await growth()).cpuMs);
      watched.push(await growth(browser));
    }
    const median = (member: keyof Watched) =>
      percentile(
        watched.map((each) => each[member]),
        0.5,
      );
    const [without, withPage] = [percentile(alone, 0.5), median("cpuMs")];
    return [
      {
        what: "frames while 3,000 Pods become ready on 500 nodes",
        value: median("fps"),
        unit: "per s",
        bar: 30,
        goal: 60,
      },
      { what: "the time between two frames, of 95 in 100 at most", value: median("frameMs"), unit: "ms" },
      { what: "CPU time of the cluster's process without the page", value: without, unit: "ms" },
      { what: "the same with the page open", value: withPage, unit: "ms" },
      {
        what: "more CPU time by the page",
        value: (100 * (withPage - without)) / without,
        unit: "%",
        bar: 10,
      },
      {
        what: "from opening the link to the first view, 500 nodes",
        value: median("firstViewMs"),
        unit: "ms",
        bar: 1000,
      },
      { what: "the bundle, compressed", value: bundleBytes() / 1000, unit: "kB", bar: 250 },
    ];
  } finally {
    await browser.close();
  }
}

interface Watched {
  readonly cpuMs: number;
  readonly fps: number;
  readonly frameMs: number;
  readonly firstViewMs: number;
}

/** Starts a cluster, lets a Deployment grow, and measures that; with a browser, which looks on. */
async function growth(browser?: Browser): Promise<Watched> {
  const folder = mkdtempSync(path.join(tmpdir(), "trimtab-bench-"));
  const kubeconfig = path.join(folder, "kubeconfig");
  const pageFlags = browser === undefined ? ["--no-page"] : ["--page-port", "0"];
  const words = ["up", "--port", "0", "--nodes", String(nodes), "--zones", "5", "--kubeconfig", kubeconfig];
  const child = spawn(process.execPath, [trimtabFile(), ...words, ...pageFlags], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const welcome = await firstText(child);
    const client = clientOf(kubeconfig);
    const { metadata: _, ...rest } = deployment("web", { replicas: 0 });
    await client.create(deployments, { ...rest, metadata: { name: "web", namespace: "default" } });
    const link = /http:\S+open\S+/.exec(welcome)?.[0] ?? "";
    const opened = browser === undefined ? undefined : await openPage(browser, link);
    const before = cpuMs(child);
    await opened?.page.evaluate(countFrames);
    await grow(client);
    const cpu = cpuMs(child) - before;
    const drawn = opened === undefined ? nothingDrawn : await readFrames(opened);
    await client.close();
    return { cpuMs: cpu, ...drawn };
  } finally {
    const ended = once(child, "exit");
    child.kill("SIGINT");
    await ended;
    rmSync(folder, { recursive: true, force: true });
  }
}

const nothingDrawn = { fps: Number.NaN, frameMs: Number.NaN, firstViewMs: Number.NaN };

/** What was drawn since `countFrames`; closes the window. */
async function readFrames({ page: shown, firstViewMs }: OpenedPage): Promise<Omit<Watched, "cpuMs">> {
  const frames = await shown.evaluate<number[]>("frames");
  await shown.context().close();
  const total = frames.reduce((sum, each) => sum + each, 0);
  return { fps: (1000 * frames.length) / total, frameMs: percentile(frames, 0.95), firstViewMs };
}

function clientOf(kubeconfig: string): HttpsClient {
  const found = loadKubeconfig({ paths: [kubeconfig], env: {} });
  if (!found.ok) throw new Error("the cluster left no kubeconfig");
  return new HttpsClient({ connection: found.connection, clock });
}

async function firstText({ stdout }: ChildProcess): Promise<string> {
  if (stdout === null) return "";
  const [chunk] = (await once(stdout, "data")) as [Buffer];
  return chunk.toString();
}

interface OpenedPage {
  readonly page: Page;
  readonly firstViewMs: number;
}

async function openPage(browser: Browser, link: string): Promise<OpenedPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const shown = await context.newPage();
  const start = performance.now();
  await shown.goto(link);
  await shown.locator(".map li").first().waitFor();
  const firstViewMs = performance.now() - start;
  await shown.locator(".status.live").waitFor();
  return { page: shown, firstViewMs };
}

/** Collects the times between frames in `frames`. */
const countFrames = `
  globalThis.frames = [];
  let last = performance.now();
  requestAnimationFrame(function tick(now) {
    frames.push(now - last);
    last = now;
    requestAnimationFrame(tick);
  });
`;

async function grow(client: Client): Promise<void> {
  const name = { namespace: "default", name: "web" };
  await client.patch(deployments, name, { type: "merge", body: { spec: { replicas } } });
  for (;;) {
    const { status } = await client.get(deployments, name);
    if (status?.readyReplicas === replicas) return;
    await clock.sleep(250);
  }
}

/** The CPU time of another process so far; known on Linux only. */
function cpuMs({ pid }: ChildProcess): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
    return (Number(fields[11]) + Number(fields[12])) * 10; // a tick is 10 ms
  } catch {
    return Number.NaN; // a system without /proc
  }
}

function bundleBytes(): number {
  const files = readdirSync(bundle, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return files.reduce(
    (sum, { parentPath, name }) => sum + gzipSync(readFileSync(path.join(parentPath, name))).length,
    0,
  );
}
