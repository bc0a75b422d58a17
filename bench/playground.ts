import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { WallClock } from "../src/machinery/clock/wall-clock.ts";
import { silentLogger } from "../src/machinery/log/logger.ts";
import { startPlaygroundServer } from "../src/page/playground-server.ts";
import { chromiumPath, launchBrowser } from "../test/page/page-in-browser.ts";
import { type Measure, percentile } from "./measure.ts";
import { rollingPage } from "./playground-rolling.ts";
import { buildPlayground, neededFiles } from "./playground-transfer.ts";

const rounds = 5;
const clock = new WallClock();

/**
 * The playground: what is sent until its cluster lives, how long that takes with an empty cache, and how smooth the page is while
 * many Pods roll.
 */
export async function playground(): Promise<readonly Measure[]> {
  if (chromiumPath === undefined) {
    console.error("playground: there is no chromium (set TRIMTAB_CHROMIUM to the path of one)");
    return [];
  }
  const folder = mkdtempSync(path.join(tmpdir(), "trimtab-playground-"));
  await buildPlayground(folder);
  const server = await startPlaygroundServer({ port: 0, folder, clock, log: silentLogger });
  const browser = await launchBrowser();
  try {
    const opened: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const context = await browser.newContext(); // with an empty cache
      const page = await context.newPage();
      const before = clock.elapsed();
      await page.goto(server.url);
      await page.locator(".status.live").waitFor();
      opened.push(clock.elapsed() - before);
      await context.close();
    }
    const sent = neededFiles(folder);
    const kilobytes = (size: (bytes: Buffer) => number) =>
      sent.reduce((sum, bytes) => sum + size(bytes), 0) / 1000;
    return [
      {
        what: "transfer until the cluster lives, gzip",
        value: kilobytes((bytes) => gzipSync(bytes).length),
        unit: "kB",
        bar: 500,
        goal: 300,
      },
      {
        what: "the same, brotli",
        value: kilobytes((bytes) => brotliCompressSync(bytes).length),
        unit: "kB",
        bar: 500,
        goal: 300,
      },
      {
        what: "from opening the page until it shows the live cluster",
        value: percentile(opened, 0.5),
        unit: "ms",
        bar: 1000,
      },
      ...(await rollingPage(browser, server.url)),
    ];
  } finally {
    await browser.close();
    await server.close();
    rmSync(folder, { recursive: true });
  }
}
