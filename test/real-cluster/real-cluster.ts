/**
 * A real control plane for tests: etcd, kube-apiserver and, as wanted, kube-controller-manager and kube-scheduler, on
 * loopback, with a stand-in for the kubelet. `npm run test:cluster` builds the programs; see CONTRIBUTING.md.
 *
 *     const cluster = await startRealCluster({ controllers: "all", nodes: 3 });
 *     onTestFinished(cluster.stop);
 *     await cluster.client.create(deployments, web());
 *
 * A cluster takes about ten seconds to start: suites share one and have a namespace per test (`makeNamespace`).
 */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Agent, request } from "undici";
import { ControlPlane, type ControlPlaneOptions, type StartedControlPlane } from "./control-plane.ts";
import type { Server, StockControllers } from "./control-plane-programs.ts";
import type { Program } from "./program.ts";

export interface RealCluster extends StartedControlPlane {
  /** The one that runs; another after a restart. */
  readonly apiServer: () => Program | undefined;
  /** Ends the API server at once, as a crash would. */
  readonly killApiServer: () => Promise<void>;
  /** Starts it again at the same address, with the same store. */
  readonly restartApiServer: () => Promise<void>;
  /** Removes all history from etcd: no client can list or watch from an earlier revision. */
  readonly compact: () => Promise<void>;
  /** Replaces the stock controllers that run; `none` ends all of them. */
  readonly runControllers: (which: StockControllers | "none") => Promise<void>;
  /** Starts the stock workload controllers beside those that run, as a program of their own. */
  readonly startWorkloadControllers: () => Promise<Program>;
  /** kube-controller-manager, if it runs. */
  readonly controllers: () => Program | undefined;
  /** Stops kube-controller-manager where it is, until the function that it returns is called. */
  readonly freezeControllers: () => () => void;
  /** kube-scheduler, if it runs. */
  readonly scheduler: () => Program | undefined;
  /** Starts kube-scheduler. */
  readonly startScheduler: () => Promise<void>;
  /** `GET` of a path with an administrator's rights, such as `/metrics`. */
  readonly read: (path: string) => Promise<string>;
  /** Ends a program together with the cluster. */
  readonly alsoStop: (program: Pick<Program, "stop">) => void;
  /** Ends everything, in any state, and removes the data. */
  readonly stop: () => Promise<void>;
}

/** Why no real control plane can be started, if so. */
export function missingControlPlane(): string | undefined {
  return process.env["TRIMTAB_CONTROL_PLANE"] === undefined
    ? "TRIMTAB_CONTROL_PLANE names no folder with the programs: use npm run test:cluster"
    : undefined;
}

/** Starts a cluster and resolves when it is ready for use. The caller stops it. */
export async function startRealCluster(options: ControlPlaneOptions = {}): Promise<RealCluster> {
  const problem = missingControlPlane();
  if (problem !== undefined) throw new Error(problem);
  const folder = mkdtempSync(path.join(tmpdir(), "trimtab-real-cluster-"));
  const plane = new ControlPlane(options, {
    binaries: process.env["TRIMTAB_CONTROL_PLANE"] ?? "",
    folder,
  });
  try {
    return clusterOf(plane, await plane.start());
  } catch (error) {
    await plane.stop();
    throw error;
  }
}

function clusterOf(plane: ControlPlane, started: StartedControlPlane): RealCluster {
  return {
    ...started,
    apiServer: () => plane.apiServer,
    killApiServer: async () => plane.apiServer?.stop("SIGKILL"),
    restartApiServer: () => plane.restartApiServer(),
    compact: () => compact(started.etcd),
    runControllers: (which) => plane.runControllers(which),
    startWorkloadControllers: () => plane.startWorkloadControllers(),
    controllers: () => plane.controllers,
    freezeControllers: () => plane.freezeControllers(),
    scheduler: () => plane.scheduler,
    startScheduler: () => plane.startScheduler(),
    read: (page) => readPage(started.access, page),
    alsoStop: (program) => plane.alsoStop(program),
    stop: () => plane.stop(),
  };
}

async function compact({ url }: Server): Promise<void> {
  const call = async (path: string, body: object) => {
    const answer = await request(`${url}/v3/kv/${path}`, { method: "POST", body: JSON.stringify(body) });
    if (answer.statusCode !== 200) throw new Error(`etcd: ${path}: ${await answer.body.text()}`);
    return (await answer.body.json()) as { readonly header: { readonly revision: string } };
  };
  const { header } = await call("range", { key: Buffer.from("/").toString("base64"), limit: 1 });
  await call("compaction", { revision: header.revision, physical: true });
}

async function readPage({ url, ca, token }: RealCluster["access"], page: string): Promise<string> {
  const dispatcher = new Agent({ connect: { ca } });
  try {
    const answer = await request(url + page, { dispatcher, headers: { authorization: `Bearer ${token}` } });
    const text = await answer.body.text();
    if (answer.statusCode !== 200) throw new Error(`GET ${page}: ${answer.statusCode} ${text}`);
    return text;
  } finally {
    await dispatcher.close();
  }
}
