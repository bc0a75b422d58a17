import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, type TestContext } from "vitest";
import { kubeconfigText } from "../../src/cluster/write-kubeconfig.ts";
import { type EmbeddedCluster, startEmbedded } from "../embedded-cluster.ts";
import type { ClientProgram } from "./client-process.ts";
import type { BuiltTool } from "./tool-cache.ts";

/** Long enough to build everything from nothing on a busy machine. */
const buildTimeoutMs = 1_800_000;

export interface ClientFixture {
  readonly cluster: EmbeddedCluster;
  readonly program: ClientProgram;
}

/** Builds a client and starts a cluster for the suites of a file; a test skips itself where the client is missing. */
export function useClient(
  build: () => Promise<BuiltTool>,
  command: (folder: string) => readonly string[],
): (context: TestContext) => ClientFixture {
  let home: string;
  let cluster: EmbeddedCluster;
  let tool: BuiltTool;
  beforeAll(async () => {
    home = mkdtempSync(path.join(tmpdir(), "trimtab-client-"));
    tool = await build();
    cluster = await startEmbedded();
    writeFileSync(path.join(home, "kubeconfig"), kubeconfigText(cluster.access), { mode: 0o600 });
  }, buildTimeoutMs);
  afterAll(async () => {
    await cluster.stop();
    rmSync(home, { recursive: true, force: true });
  });
  return ({ skip }) => {
    if ("missing" in tool) return skip(tool.missing);
    const { PATH, JAVA_HOME } = process.env;
    // A home of its own: nothing of the user's configuration, plugins or caches has a part in this.
    const env = { PATH, JAVA_HOME, HOME: home, TMPDIR: home, KUBECONFIG: path.join(home, "kubeconfig") };
    return { cluster, program: { command: command(tool.folder), env } };
  };
}
