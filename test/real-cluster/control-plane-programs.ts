import path from "node:path";
import { Agent, request } from "undici";
import type { Credentials } from "./credentials.ts";
import { freePort } from "./free-port.ts";
import { knownGates } from "./kubernetes-version.ts";
import { type Program, startProgram, untilReady } from "./program.ts";

/** Where programs are found, and where they keep what they write. */
export interface Installation {
  readonly binaries: string;
  readonly folder: string;
}

/** A program with the port it listens on. */
export interface Server extends Program {
  readonly url: string;
}

/** Only tests read these: what matters is that nothing in them leads off this machine. */
const serviceNetwork = "240.96.0.0/16";

export async function startEtcd({ binaries, folder }: Installation): Promise<Server> {
  const url = `http://127.0.0.1:${await freePort()}`;
  const peer = `http://127.0.0.1:${await freePort()}`;
  const program = startProgram({
    name: "etcd",
    file: path.join(binaries, "etcd"),
    folder,
    flags: [
      `--data-dir=${path.join(folder, "etcd")}`,
      `--listen-client-urls=${url}`,
      `--advertise-client-urls=${url}`,
      `--listen-peer-urls=${peer}`,
      `--initial-advertise-peer-urls=${peer}`,
      `--initial-cluster=default=${peer}`,
      // The data lives no longer than the test.
      "--unsafe-no-fsync",
      "--log-level=warn",
    ],
  });
  await untilReady(program, async () => (await answerCode(`${url}/readyz`)) === 200);
  return { ...program, url };
}

export interface ApiServerOptions {
  readonly etcd: string;
  readonly credentials: Credentials;
  /** Absent: a free one. */
  readonly port?: number | undefined;
  readonly gates: Readonly<Record<string, boolean>>;
  /** More flags; they win over the others. */
  readonly flags: readonly string[];
}

export async function startApiServer(
  { binaries, folder }: Installation,
  options: ApiServerOptions,
): Promise<Server> {
  const { etcd, credentials, port = await freePort(), gates, flags } = options;
  const { files } = credentials;
  const url = `https://127.0.0.1:${port}`;
  const program = startProgram({
    name: "kube-apiserver",
    file: path.join(binaries, "kube-apiserver"),
    folder,
    flags: [
      `--etcd-servers=${etcd}`,
      "--bind-address=127.0.0.1",
      "--advertise-address=127.0.0.1",
      // Endpoints refuse loopback addresses, and there are no others here.
      "--endpoint-reconciler-type=none",
      `--secure-port=${port}`,
      `--service-cluster-ip-range=${serviceNetwork}`,
      `--tls-cert-file=${files.serving}`,
      `--tls-private-key-file=${files.servingKey}`,
      `--client-ca-file=${files.ca}`,
      `--token-auth-file=${files.tokens}`,
      "--authorization-mode=RBAC",
      `--service-account-issuer=${url}`,
      `--service-account-key-file=${files.accountPublicKey}`,
      `--service-account-signing-key-file=${files.accountKey}`,
      `--cert-dir=${folder}`,
      // An API server that is asked to stop ends its watches at once instead of after a minute.
      "--shutdown-watch-termination-grace-period=0s",
      ...gateFlag(gates),
      ...flags,
    ],
  });
  const ready = () => answerCode(`${url}/readyz`, credentials);
  await untilReady(program, async () => (await ready()) === 200);
  return { ...program, url };
}

function gateFlag(gates: Readonly<Record<string, boolean>>): readonly string[] {
  const text = Object.entries(knownGates(gates)).map(([name, on]) => `${name}=${on}`);
  return text.length === 0 ? [] : [`--feature-gates=${text.join(",")}`];
}

/** The controllers that kube-controller-manager leaves to `trimtab controllers`. */
const workloadControllers = [
  "deployment-controller",
  "replicaset-controller",
  "replicationcontroller-controller",
];

export interface ClientProgramOptions {
  readonly kubeconfig: string;
  readonly credentials: Credentials;
  readonly gates?: Readonly<Record<string, boolean>>;
  readonly flags?: readonly string[];
}

/** The workload controllers are those of Deployments, ReplicaSets and ReplicationControllers; the sets StatefulSets and DaemonSets. */
export type StockControllers = "all" | "without-workloads" | "workloads" | "without-sets";

const controllersFlags: Readonly<Record<StockControllers, readonly string[]>> = {
  all: ["*"],
  "without-workloads": ["*", ...workloadControllers.map((name) => `-${name}`)],
  workloads: workloadControllers,
  "without-sets": ["*", "-statefulset-controller", "-daemonset-controller"],
};

export async function startControllerManager(
  installation: Installation,
  which: StockControllers,
  options: ClientProgramOptions,
): Promise<Server> {
  const { files } = options.credentials;
  return startClientProgram("kube-controller-manager", installation, {
    ...options,
    flags: [
      `--controllers=${controllersFlags[which].join(",")}`,
      `--service-account-private-key-file=${files.accountKey}`,
      `--root-ca-file=${files.ca}`,
      "--allocate-node-cidrs=false",
      ...(options.flags ?? []),
    ],
  });
}

export function startScheduler(installation: Installation, options: ClientProgramOptions): Promise<Server> {
  return startClientProgram("kube-scheduler", installation, options);
}

/** A program that is a client of the API server and the only copy of itself. */
async function startClientProgram(
  name: string,
  { binaries, folder }: Installation,
  { kubeconfig, gates = {}, flags = [] }: ClientProgramOptions,
): Promise<Server> {
  const url = `https://127.0.0.1:${await freePort()}`;
  const program = startProgram({
    name,
    file: path.join(binaries, name),
    folder,
    flags: [
      `--kubeconfig=${kubeconfig}`,
      `--authentication-kubeconfig=${kubeconfig}`,
      `--authorization-kubeconfig=${kubeconfig}`,
      "--bind-address=127.0.0.1",
      `--secure-port=${new URL(url).port}`,
      "--leader-elect=false",
      ...gateFlag(gates),
      ...flags,
    ],
  });
  await untilReady(program, async () => (await answerCode(`${url}/healthz`)) === 200);
  return { ...program, url };
}

const anyCertificate = new Agent({ connect: { rejectUnauthorized: false }, keepAliveTimeout: 1 });

/** The status code that an address answers with; health is open to everyone, who need not know the certificate. */
async function answerCode(url: string, credentials?: Credentials): Promise<number> {
  const headers = credentials === undefined ? {} : { authorization: `Bearer ${credentials.token}` };
  const { statusCode, body } = await request(url, {
    dispatcher: anyCertificate,
    headers,
    headersTimeout: 5000,
  });
  await body.dump();
  return statusCode;
}
