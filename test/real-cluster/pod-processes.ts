import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { request, Agent } from "undici";
import type { Container, Pod } from "../../src/api/generated/core-v1.ts";
import { isBeingDeleted } from "../../src/api/object.ts";
import { configMaps, pods } from "../../src/api/resources.ts";
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
  /** What the processes have printed last, for the message of a failed test. */
  readonly logs: () => string;
}

const clock = new WallClock();

/** Runs the containers of an image by the program that the image would have in it. */
export function trimtabPods(image: string): TrimtabPods {
  const running = new Map<string, Program>();
  let cluster: Pick<RealCluster, "access" | "folder"> | undefined;

  async function start(pod: Pod, client: Client): Promise<void> {
    const [container] = pod.spec.containers;
    const { uid, name } = pod.metadata;
    if (cluster === undefined || container === undefined) throw new Error(`${name} cannot be run yet`);
    const folder = path.join(cluster.folder, `pod-${uid}`);
    mkdirSync(folder, { recursive: true });
    const kubeconfig = path.join(folder, "kubeconfig");
    writeFileSync(kubeconfig, await accountConfig(pod, cluster.access), { mode: 0o600 });
    const flags = await argumentsOf({ pod, container, folder, client });
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
    logs: () => [...running.values()].map((program) => tailOf(program)).join("\n"),
    runs: (pod) => pod.spec.containers.some((container) => container.image === image),
    async sync(pod, client) {
      const { uid } = pod.metadata;
      if (isBeingDeleted(pod)) {
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
}: {
  readonly pod: Pod;
  readonly container: Container;
  readonly folder: string;
  readonly client: Client;
}): Promise<readonly string[]> {
  let flags = (container.args ?? []).map((flag) => onLoopback(flag).replace(/^--port=.*/, "--port=0"));
  for (const { name, mountPath } of container.volumeMounts ?? []) {
    const source = pod.spec.volumes?.find((volume) => volume.name === name)?.configMap?.name;
    if (source === undefined) continue;
    const place = { namespace: pod.metadata.namespace, name: source };
    const { data = {} } = await client.get(configMaps, place);
    for (const [file, text] of Object.entries(data)) writeFileSync(path.join(folder, file), onLoopback(text));
    flags = flags.map((flag) => flag.replace(mountPath, folder));
  }
  return flags;
}

const onLoopback = (text: string): string => text.replace("0.0.0.0", "127.0.0.1");

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
