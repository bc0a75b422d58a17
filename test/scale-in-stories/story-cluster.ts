import type { DownscalePodPicker } from "../../src/api/generated/apps-v1.ts";
import type { Pod } from "../../src/api/generated/core-v1.ts";
import { deletionCostAnnotation } from "../../src/api/deletion-cost.ts";
import { isBeingDeleted } from "../../src/api/object.ts";
import { isActive, isReady } from "../../src/api/pod-state.ts";
import { deployments, pods } from "../../src/api/resources.ts";
import { type SimulatedPicker, simulatedConnector } from "../../src/picker/simulated-picker.ts";
import { testCluster, type TestCluster } from "../../src/testing/test-cluster.ts";

/** Who decides which Pods go: nobody in particular, costs that a program writes every minute, or a picker. */
export const modes = ["stock order", "costs every minute", "a picker", "protection"] as const;
export type Mode = (typeof modes)[number];

/** What a story knows of a Pod: its number, as a picker or a cost says it, and whether it has work. */
export interface Work {
  readonly score: (name: string) => number;
  readonly isBusy: (name: string) => boolean;
}

export interface StoryOptions {
  readonly mode: Mode;
  readonly seed: number;
  readonly nodes: number;
  readonly replicas: number;
  readonly work: Work;
  /** Whether terminating Pods count before new ones are created. */
  readonly countsTerminating?: boolean;
}

/** A Deployment of workers whose size an autoscaler of the story changes. */
export interface StoryCluster {
  readonly cluster: TestCluster;
  readonly ready: () => Promise<readonly Pod[]>;
  readonly all: () => Promise<readonly Pod[]>;
  readonly scale: (replicas: number) => Promise<void>;
  /** What a program that writes costs does once a minute; nothing in other modes. */
  readonly writeCosts: () => Promise<void>;
}

const at = { namespace: "default", name: "worker" };
const picker = { http: { host: "picker", port: 80 } } as DownscalePodPicker;
const stockGates = {
  PreferForScaleDownLabel: false,
  DownscalePodPicker: false,
  DeploymentPodReplacementPolicy: false,
};

/** Starts the cluster of a story; the caller stops it. */
export async function startStory(options: StoryOptions): Promise<StoryCluster> {
  const { mode, seed, nodes, replicas, work, countsTerminating = false } = options;
  const isPicked = mode === "a picker" || mode === "protection";
  const known = new Map([["picker", pickerOf(mode, work)]]);
  const cluster = await testCluster({
    seed: `story ${seed}`,
    nodes,
    gates: isPicked ? { PodRemovalProtection: mode === "protection" } : stockGates,
    pickerConnector: ({ clock }) => simulatedConnector(known, clock),
  });
  const { client } = cluster;
  const labels = { app: "worker" };
  await client.create(deployments, {
    metadata: { ...at, annotations: { "trimtab.dev/protection-limit": "2h" } },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      ...(isPicked && { downscalePodPicker: picker }),
      ...(isPicked && countsTerminating && { podReplacementPolicy: "TerminationComplete" }),
      template: {
        metadata: {
          labels,
          annotations: { "sim.trimtab.dev/startDelay": "20s", "sim.trimtab.dev/terminationDelay": "30s" },
        },
        spec: { containers: [{ name: "worker", image: "worker:1" }] },
      },
    },
  });
  await cluster.clock.advance(60_000);
  const all = async () => (await client.list(pods, { namespace: "default" })).items;
  const ready = async () =>
    (await all()).filter((pod) => isActive(pod) && !isBeingDeleted(pod) && isReady(pod));
  return {
    cluster,
    all,
    ready,
    async scale(size) {
      await client.patch(deployments, at, { type: "merge", body: { spec: { replicas: size } } });
    },
    async writeCosts() {
      if (mode !== "costs every minute") return;
      for (const { metadata } of await ready()) {
        const cost = String(work.score(metadata.name));
        if (metadata.annotations?.[deletionCostAnnotation] === cost) continue;
        const body = { metadata: { annotations: { [deletionCostAnnotation]: cost } } };
        await client.patch(pods, metadata, { type: "merge", body });
      }
    },
  };
}

function pickerOf(mode: Mode, { score, isBusy }: Work): SimulatedPicker {
  return {
    latencyMs: 50,
    pick: ({ candidates, requested }) => ({
      chosen_pods: candidates.toSorted((a, b) => score(a) - score(b)).slice(0, requested),
      ...(mode === "protection" && { protected_pods: candidates.filter(isBusy) }),
    }),
  };
}
