import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { request, Agent } from "undici";
import type { Container, Pod } from "../../src/api/generated/core-v1.ts";
import { isBeingDeleted } from "../../src/api/object.ts";
import { configMaps, pods, secrets } from "../../src/api/resources.ts";
import { formatTime } from "../../src/api/time.ts";
import { kubeconfigText } from "../../src/cluster/write-kubeconfig.ts";
import { isNotFound } from "../../src/machinery/client/api-error.ts";
import type { Client } from "../../src/machinery/client/client.ts";
import { WallClock } from "../../src/machinery/clock/wall-clock.ts";
import { done } from "../../src/machinery/controller.ts";
import type { PodProcesses } from "./kubelet-stand-in.ts";
import { type Program, startProgram, tailOf, untilReady } from "./program.ts";
import type { RealCluster } from "./real-cluster.ts";
import { trimtabFile } from "./trimtab-program.ts";

/** The Pods of one image, run as processes of this machine with the rights of their service accounts. */
export interface TrimtabPods extends PodProcesses {
  /** Where the API server is: known only when the cluster has started. */
  attach(cluster: Pick<RealCluster, "access" | "folder">): void;
  /** The addresses of the Pods that are ready, each with one of its own. */
  readonly ready: () => readonly string[];
  /** What the processes have printed last, for the message of a failed test. */
  readonly logs: () => string;
}

const clock = new WallClock();

/** Runs the containers of an image by the program that the image would have in it. */
export function trimtabPods(image: string): TrimtabPods {
  const running = new Map<string, Program>();
  const ready = new Map<string, string>();
  let started = 0;
  let cluster: Pick<RealCluster, "access" | "folder"> | undefined;

  async function start(pod: Pod, client: Client): Promise<void> {
    const [container] = pod.spec.containers;
    const { uid, name } = pod.metadata;
    if (cluster === undefined || container === undefined) throw new Error(`${name} cannot be run yet`);
    const folder = path.join(cluster.folder, `pod-${uid}`);
    mkdirSync(folder, { recursive: true });
    const kubeconfig = path.join(folder, "kubeconfig");
    writeFileSync(kubeconfig, await accountConfig(pod, cluster.access), { mode: 0o600 });
    // Every Pod has its own address, as in a cluster: all can listen on the same port. 127.0.0.1 is the Service.
    const address = `127.0.0.${2 + (started++ % 200)}`;
    const flags = await argumentsOf({ pod, container, folder, client, address });
    const program = startProgram({
      name: `pod-${name}`,
      file: process.execPath,
      flags: [trimtabFile(), ...flags],
      folder,
      env: { KUBECONFIG: kubeconfig },
    });
    running.set(uid, program);
    await report(client, pod, { phase: "Running", isReady: false });
    if (pod.spec.restartPolicy === "Never") await finish(pod, program, client);
    else {
      await untilReady(program, async () =>
        readFileSync(program.logFile, "utf8").includes("decisions: https"),
      );
      ready.set(uid, address);
      await report(client, pod, { phase: "Running", isReady: true });
    }
  }

  /** Waits for the end of a program that ends by itself. */
  async function finish(pod: Pod, program: Program, client: Client): Promise<void> {
    while (!program.ended()) await clock.sleep(50);
    const phase = readFileSync(program.logFile, "utf8").includes(": removed ") ? "Succeeded" : "Failed";
    await report(client, pod, { phase, isReady: false });
  }

  return {
    attach: (started) => void (cluster = started),
    ready: () => [...ready.values()],
    logs: () => [...running.values()].map((program) => tailOf(program)).join("\n"),
    runs: (pod) => pod.spec.containers.some((container) => container.image === image),
    async sync(pod, client) {
      const { uid } = pod.metadata;
      if (isBeingDeleted(pod)) {
        ready.delete(uid);
        await running.get(uid)?.stop();
        await client.delete(pods, pod.metadata, { gracePeriodSeconds: 0 }).catch(ifGone);
      } else if (pod.spec.nodeName !== undefined && !running.has(uid)) await start(pod, client);
      return done;
    },
    stop: async () => void (await Promise.all([...running.values()].map((program) => program.stop()))),
  };
}

/** The flags of a container, its mounted files in a folder, and everything on loopback. */
async function argumentsOf({
  pod,
  container,
  folder,
  client,
  address,
}: {
  readonly pod: Pod;
  readonly container: Container;
  readonly folder: string;
  readonly client: Client;
  readonly address: string;
}): Promise<readonly string[]> {
  const onLoopback = (text: string) => text.replace("0.0.0.0", address);
  const mounts = container.volumeMounts ?? [];
  const located = (text: string) =>
    mounts.reduce(
      (rest, { name, mountPath }) => rest.replaceAll(`${mountPath}/`, `${path.join(folder, name)}/`),
      text,
    );
  for (const { name } of mounts) {
    mkdirSync(path.join(folder, name), { recursive: true });
    for (const [file, text] of Object.entries(await mountedFiles(pod, name, client)))
      writeFileSync(path.join(folder, name, file), located(onLoopback(text)), { mode: 0o600 });
  }
  return (container.args ?? []).map((flag) => located(onLoopback(flag).replace(/^--port=.*/, "--port=0")));
}

/** The files of a volume that is a ConfigMap or a Secret. */
async function mountedFiles(
  { metadata: { namespace }, spec }: Pod,
  volume: string,
  client: Client,
): Promise<Readonly<Record<string, string>>> {
  const source = spec.volumes?.find(({ name }) => name === volume);
  const at = (name: string) => ({ ...(namespace !== undefined && { namespace }), name });
  if (source?.configMap?.name !== undefined)
    return (await client.get(configMaps, at(source.configMap.name))).data ?? {};
  if (source?.secret?.secretName === undefined) return {};
  const { data = {} } = await client.get(secrets, at(source.secret.secretName));
  const decoded = (text: string) => Buffer.from(text, "base64").toString("utf8");
  return Object.fromEntries(Object.entries(data).map(([file, text]) => [file, decoded(text)]));
}

/** A kubeconfig with a token of the Pod's service account, in its namespace. */
async function accountConfig(
  { metadata, spec }: Pod,
  { url, ca, token }: RealCluster["access"],
): Promise<string> {
  const { namespace = "" } = metadata;
  const account = spec.serviceAccountName ?? "default";
  const dispatcher = new Agent({ connect: { ca } });
  const { statusCode, body } = await request(
    `${url}/api/v1/namespaces/${namespace}/serviceaccounts/${account}/token`,
    {
      method: "POST",
      dispatcher,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} }),
    },
  );
  const answer = (await body.json()) as { readonly status?: { readonly token: string } };
  await dispatcher.close();
  if (answer.status === undefined) throw new Error(`no token for ${account}: ${statusCode}`);
  const text = kubeconfigText({ url, ca, token: answer.status.token });
  return text.replace("namespace: default", `namespace: ${namespace}`);
}

interface PodState {
  readonly phase: "Running" | "Succeeded" | "Failed";
  readonly isReady: boolean;
}

async function report(client: Client, { metadata, spec }: Pod, { phase, isReady }: PodState): Promise<void> {
  const at = formatTime(clock.now());
  const [container] = spec.containers;
  const state =
    phase === "Running"
      ? { running: { startedAt: at } }
      : { terminated: { exitCode: phase === "Succeeded" ? 0 : 1, startedAt: at, finishedAt: at } };
  const status = {
    phase,
    startTime: at,
    conditions: ["Ready", "ContainersReady", "Initialized", "PodScheduled"].map((type) => ({
      type,
      status: isReady || type === "Initialized" || type === "PodScheduled" ? "True" : "False",
      lastTransitionTime: at,
    })),
    containerStatuses: [
      {
        name: container?.name,
        image: container?.image,
        imageID: "",
        ready: isReady,
        started: true,
        restartCount: 0,
        state,
      },
    ],
  };
  const body = { status } as never;
  await client.patch(pods, metadata, { type: "merge", body, subresource: "status" }).catch(ifGone);
}

function ifGone(error: unknown): undefined {
  if (!isNotFound(error)) throw error;
}
