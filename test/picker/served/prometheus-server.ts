import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { request } from "undici";
import { onTestFinished, vi } from "vitest";
import { stringify } from "yaml";

/** What Prometheus scrapes: `127.0.0.1:PORT`, and the labels of its series. */
export interface ScrapeTarget {
  readonly target: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** Starts Prometheus on a loopback port until the test ends; resolves with its URL once it answers. */
export async function startPrometheus(program: string, targets: readonly ScrapeTarget[]): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), "trimtab-prometheus-"));
  const config = {
    global: { scrape_interval: "1s" },
    scrape_configs: [
      {
        job_name: "pods",
        static_configs: targets.map(({ target, labels }) => ({ targets: [target], labels })),
      },
    ],
  };
  writeFileSync(path.join(folder, "prometheus.yml"), stringify(config));
  const port = await freePort();
  const running = spawn(
    program,
    [
      `--config.file=${path.join(folder, "prometheus.yml")}`,
      `--storage.tsdb.path=${path.join(folder, "data")}`,
      `--web.listen-address=127.0.0.1:${port}`,
      "--log.level=error",
    ],
    { stdio: "ignore" },
  );
  const ended = once(running, "exit");
  onTestFinished(async () => {
    running.kill("SIGKILL");
    await ended;
    rmSync(folder, { recursive: true });
  });
  const url = `http://127.0.0.1:${port}`;
  const isReady = async () => {
    const { statusCode, body } = await request(`${url}/-/ready`);
    await body.dump();
    if (statusCode !== 200) throw new Error(`Prometheus answers ${statusCode}`);
  };
  await vi.waitFor(isReady, { timeout: 120_000, interval: 200 });
  return url;
}

/** Prometheus does not say which port it has chosen. */
async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
