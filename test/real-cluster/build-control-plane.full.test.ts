import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test, vi } from "vitest";
import { buildHelm } from "../clients/tools.ts";
import { freePort } from "./free-port.ts";

const script = fileURLToPath(new URL("../../scripts/build-control-plane.mjs", import.meta.url));

/** Runs the script as it is run on a machine where nothing is cached. */
function buildControlPlane(): Promise<{ readonly code: unknown; readonly err: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [script], (error, _out, err) => resolve({ code: error?.code ?? 0, err }));
  });
}

/** A module proxy that has nothing. */
async function startProxy(status: number | "unreachable"): Promise<string> {
  if (status === "unreachable") return `http://127.0.0.1:${await freePort()}`;
  const server = createServer((_request, response) => response.writeHead(status).end());
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function useProxy(proxy: string): void {
  const folder = mkdtempSync(path.join(tmpdir(), "trimtab-no-modules-"));
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true, force: true });
  });
  vi.stubEnv("GOPROXY", proxy);
  vi.stubEnv("GOFLAGS", "-modcacherw");
  vi.stubEnv("GOMODCACHE", path.join(folder, "modules"));
  vi.stubEnv("XDG_CACHE_HOME", path.join(folder, "cache"));
}

const hasGo = spawnSync("go", ["version"]).status === 0;

test.skipIf(!hasGo).for([403, 404, 410, 503, "unreachable"] as const)(
  "without Go modules the suites are skipped, and say why: the proxy is %s",
  async (status) => {
    useProxy(await startProxy(status));
    const { code, err } = await buildControlPlane();
    expect(err).toMatch(
      /^trimtab: the tests on a real control plane are skipped: the Go modules cannot be had: .+/m,
    );
    expect(code).toBe(3);
    expect(await buildHelm(4)).toEqual({ missing: expect.stringMatching(/^skipped: no helm4 here: /) });
  },
);

test("a version of Kubernetes that is not there is refused with those that are", async () => {
  vi.stubEnv("TRIMTAB_KUBERNETES_VERSION", "1.28");
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(await buildControlPlane()).toEqual({
    code: 1,
    err: expect.stringMatching(
      /^trimtab: TRIMTAB_KUBERNETES_VERSION: there is no "1\.28", only 1\.29\.\d+, .*1\.36\.\d+, 1\.37\.\d+\n$/,
    ),
  });
});
