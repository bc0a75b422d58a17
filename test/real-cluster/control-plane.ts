import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
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

/** What a control plane consists of. */
export interface ControlPlaneOptions {
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

/** How the programs are reached, and where their files are. */
export interface StartedControlPlane {
  /** How an administrator connects. */
  readonly access: { readonly url: string; readonly ca: string; readonly token: string };
  /** The same as a file. */
  readonly kubeconfig: string;
  readonly connection: Connection;
  /** Of an administrator. */
  readonly client: HttpsClient;
  readonly etcd: Server;
  readonly credentials: Credentials;
  /** Where logs and other files are; it goes when the control plane stops. */
  readonly folder: string;
}

/** The programs of a control plane with a stand-in for the kubelet, started and ended together. */
export class ControlPlane {
  readonly #options: ControlPlaneOptions;
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

  constructor(options: ControlPlaneOptions, installation: Installation) {
    this.#options = options;
    this.#installation = installation;
    this.#credentials = makeCredentials(installation.folder);
    this.#kubeconfig = path.join(installation.folder, "kubeconfig");
  }

  get apiServer(): Server | undefined {
    return this.#apiServer;
  }

  /** kube-controller-manager, if it runs. */
  get controllers(): Server | undefined {
    return this.#controllers;
  }

  /** kube-scheduler, if it runs. */
  get scheduler(): Server | undefined {
    return this.#scheduler;
  }

  /** Starts all that is wanted; resolves when it is ready for use. */
  async start(): Promise<StartedControlPlane> {
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
    await Promise.all([this.runControllers(controllers), scheduler === true && this.startScheduler()]);
    this.#kubelet = await startKubelet({ client, nodes, zones, binds: scheduler === false, processes });
    const { folder } = this.#installation;
    return {
      access,
      kubeconfig: this.#kubeconfig,
      connection,
      client,
      etcd,
      credentials: this.#credentials,
      folder,
    };
  }

  /** Starts the API server again at the same address, with the same store. */
  async restartApiServer(): Promise<void> {
    await this.#startApiServer(Number(new URL(this.#apiServer?.url ?? "").port));
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

  /** Replaces the stock controllers that run; `none` ends all of them. */
  async runControllers(which: StockControllers | "none"): Promise<void> {
    await this.#controllers?.stop();
    this.#controllers = undefined;
    if (which === "none") return;
    this.#controllers = await startControllerManager(
      this.#installation,
      which,
      this.#clientProgram(this.#options.controllerManagerFlags),
    );
  }

  /** Starts the stock workload controllers as a program of their own, which ends with the cluster. */
  async startWorkloadControllers(): Promise<Program> {
    const options = this.#clientProgram(this.#options.controllerManagerFlags);
    const program = await startControllerManager(this.#installation, "workloads", options);
    this.alsoStop(program);
    return program;
  }

  /** Stops kube-controller-manager where it is, until the function that it returns is called. */
  freezeControllers(): () => void {
    const pid = this.#controllers?.pid;
    if (pid === undefined) throw new Error("no controllers run");
    process.kill(pid, "SIGSTOP");
    return () => void process.kill(pid, "SIGCONT");
  }

  async startScheduler(): Promise<void> {
    this.#scheduler = await startScheduler(
      this.#installation,
      this.#clientProgram(this.#options.schedulerFlags),
    );
  }

  #clientProgram(flags: readonly string[] = []) {
    const { gates = {} } = this.#options;
    return { kubeconfig: this.#kubeconfig, credentials: this.#credentials, gates, flags };
  }

  /** Ends a program together with the control plane. */
  alsoStop(program: Pick<Program, "stop">): void {
    this.#others.push(program);
  }

  /** Ends everything, in any state, and removes the data. */
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
