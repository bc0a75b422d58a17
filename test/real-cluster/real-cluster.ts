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
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Agent, request } from "undici";
import { kubeconfigText } from "../../src/cluster/write-kubeconfig.ts";
import type { Connection } from "../../src/machinery/client/connection/connection.ts";
import { HttpsClient } from "../../src/machinery/client/http/https-client.ts";
import { WallClock } from "../../src/machinery/clock/wall-clock.ts";
import {
  type Installation,
  type Server,
  startApiServer,
  startControllerManager,
  startEtcd,
  startScheduler,
  type StockControllers,
} from "./control-plane-programs.ts";
import { type Credentials, makeCredentials } from "./credentials.ts";
import { type KubeletStandIn, type PodProcesses, startKubelet } from "./kubelet-stand-in.ts";
import type { Program } from "./program.ts";

export interface RealClusterOptions {
  /** What kube-controller-manager runs; absent: all but the workload controllers. */
  readonly controllers?: StockControllers | "none";
  /**
   * Whether kube-scheduler runs; absent: the stand-in for the kubelet assigns Pods to nodes, in turn; `none`: nothing
   * does, until a test starts a scheduler.
   */
  readonly scheduler?: boolean | "none";
  /** Absent: three. */
  readonly nodes?: number;
  /** Absent: three. */
  readonly zones?: number;
  /** Feature gates of all stock programs, such as `DeploymentReplicaSetTerminatingReplicas: false`. */
  readonly gates?: Readonly<Record<string, boolean>>;
  readonly apiServerFlags?: readonly string[];
  readonly controllerManagerFlags?: readonly string[];
  readonly schedulerFlags?: readonly string[];
  /** Runs the containers of some Pods as processes of this machine. */
  readonly processes?: PodProcesses;
}

export interface RealCluster {
  /** How an administrator connects. */
  readonly access: { readonly url: string; readonly ca: string; readonly token: string };
  /** The same as a file. */
  readonly kubeconfig: string;
  readonly connection: Connection;
  /** Of an administrator. */
  readonly client: HttpsClient;
  readonly etcd: Server;
  /** The one that runs; another after a restart. */
  readonly apiServer: () => Program | undefined;
  readonly credentials: Credentials;
  /** Where logs and other files are; it goes when the cluster stops. */
  readonly folder: string;
  /** Ends the API server at once, as a crash would. */
  readonly killApiServer: () => Promise<void>;
  /** Starts it again at the same address, with the same store. */
  readonly restartApiServer: () => Promise<void>;
  /** Removes all history from etcd: no client can list or watch from an earlier revision. */
  readonly compact: () => Promise<void>;
  /** Replaces the stock controllers that run; `none` ends all of them. */
  readonly runControllers: (which: StockControllers | "none") => Promise<void>;
  /** kube-controller-manager, if it runs. */
  readonly controllers: () => Program | undefined;
  /** Stops kube-controller-manager where it is, until the function that it returns is called. */
  readonly freezeControllers: () => () => void;
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
export async function startRealCluster(options: RealClusterOptions = {}): Promise<RealCluster> {
  const problem = missingControlPlane();
  if (problem !== undefined) throw new Error(problem);
  const folder = mkdtempSync(path.join(tmpdir(), "trimtab-real-cluster-"));
  const cluster = new ControlPlane(options, {
    binaries: process.env["TRIMTAB_CONTROL_PLANE"] ?? "",
    folder,
  });
  try {
    return await cluster.start();
  } catch (error) {
    await cluster.stop();
    throw error;
  }
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

class ControlPlane {
  readonly #options: RealClusterOptions;
  readonly #installation: Installation;
  readonly #credentials: Credentials;
  readonly #kubeconfig: string;
  /** In the order of their start. */
  #etcd: Server | undefined;
  #apiServer: Server | undefined;
  #client: HttpsClient | undefined;
  #kubelet: KubeletStandIn | undefined;
  #controllers: Server | undefined;
  #scheduler: Server | undefined;
  readonly #others: Pick<Program, "stop">[] = [];

  constructor(options: RealClusterOptions, installation: Installation) {
    this.#options = options;
    this.#installation = installation;
    this.#credentials = makeCredentials(installation.folder);
    this.#kubeconfig = path.join(installation.folder, "kubeconfig");
  }

  async start(): Promise<RealCluster> {
    const {
      controllers = "without-workloads",
      scheduler = false,
      nodes = 3,
      zones = 3,
      processes,
    } = this.#options;
    const etcd = (this.#etcd = await startEtcd(this.#installation));
    const { url } = await this.#startApiServer();
    const { ca, token } = this.#credentials;
    const access = { url, ca, token };
    writeFileSync(this.#kubeconfig, kubeconfigText(access), { mode: 0o600 });
    const connection: Connection = {
      server: url,
      credential: { type: "token", token },
      tls: { ca, skipVerify: false },
      namespace: "default",
    };
    const client = (this.#client = new HttpsClient({
      connection,
      clock: new WallClock(),
      userAgent: "test",
    }));
    await Promise.all([this.#runControllers(controllers), scheduler === true && this.#startScheduler()]);
    this.#kubelet = await startKubelet({ client, nodes, zones, binds: scheduler === false, processes });
    return {
      access,
      kubeconfig: this.#kubeconfig,
      connection,
      client,
      etcd,
      apiServer: () => this.#apiServer,
      credentials: this.#credentials,
      folder: this.#installation.folder,
      killApiServer: async () => this.#apiServer?.stop("SIGKILL"),
      restartApiServer: async () => void (await this.#startApiServer(Number(new URL(url).port))),
      compact: () => compact(etcd),
      runControllers: (which) => this.#runControllers(which),
      controllers: () => this.#controllers,
      freezeControllers: () => this.#freezeControllers(),
      startScheduler: () => this.#startScheduler(),
      read: (page) => readPage(access, page),
      alsoStop: (program) => void this.#others.push(program),
      stop: () => this.stop(),
    };
  }

  async #startApiServer(port?: number): Promise<Server> {
    const { gates = {}, apiServerFlags = [] } = this.#options;
    return (this.#apiServer = await startApiServer(this.#installation, {
      etcd: this.#etcd?.url ?? "",
      credentials: this.#credentials,
      port,
      gates,
      flags: apiServerFlags,
    }));
  }

  async #runControllers(which: StockControllers | "none"): Promise<void> {
    await this.#controllers?.stop();
    this.#controllers = undefined;
    if (which === "none") return;
    this.#controllers = await startControllerManager(
      this.#installation,
      which,
      this.#clientProgram(this.#options.controllerManagerFlags),
    );
  }

  #freezeControllers(): () => void {
    const pid = this.#controllers?.pid;
    if (pid === undefined) throw new Error("no controllers run");
    process.kill(pid, "SIGSTOP");
    return () => void process.kill(pid, "SIGCONT");
  }

  async #startScheduler(): Promise<void> {
    this.#scheduler = await startScheduler(
      this.#installation,
      this.#clientProgram(this.#options.schedulerFlags),
    );
  }

  #clientProgram(flags: readonly string[] = []) {
    const { gates = {} } = this.#options;
    return { kubeconfig: this.#kubeconfig, credentials: this.#credentials, gates, flags };
  }

  async stop(): Promise<void> {
    const stages: readonly (() => Promise<unknown>)[] = [
      async () => this.#kubelet?.stop(),
      () =>
        Promise.all([...this.#others, this.#controllers, this.#scheduler].map(async (each) => each?.stop())),
      async () => this.#client?.close(),
      // Nothing has to be saved.
      async () => this.#apiServer?.stop("SIGKILL"),
      async () => this.#etcd?.stop("SIGKILL"),
    ];
    const problems: unknown[] = [];
    for (const stage of stages) await stage().catch((error: unknown) => problems.push(error));
    rmSync(this.#installation.folder, { recursive: true, force: true });
    if (problems.length > 0) throw new AggregateError(problems, "the cluster did not stop well");
  }
}
