import { onTestFinished } from "vitest";
import type { Pod } from "../../../src/api/generated/core-v1.ts";
import { deployments, events, namespaces, pods, replicaSets } from "../../../src/api/resources.ts";
import { endpointAnnotation } from "../../../src/api/well-known.ts";
import { parseConfiguration } from "../../../src/cli/picker/picker-serve-settings.ts";
import { WallClock } from "../../../src/machinery/clock/wall-clock.ts";
import { seededRandom } from "../../../src/machinery/random/random.ts";
import type { PickQuestion } from "../../../src/picker/kit/pick-request.ts";
import { servablePickers } from "../../../src/picker/serve/serve-pickers.ts";
import { collectingLogger } from "../../../src/testing/collecting-logger.ts";
import { deployment } from "../../../src/testing/deployment.ts";
import { memoryMetrics } from "../../../src/testing/memory-metrics.ts";
import { pod, type PodTraits } from "../../../src/testing/pod.ts";
import { replicaSet } from "../../../src/testing/replica-set.ts";
import { type TestApi, testApi } from "../../../src/testing/test-api.ts";
import { scriptedServer, type ServerScript } from "../../../src/testing/scripted-server.ts";
import type { ServerOptions } from "node:https";

/** A Pod of `web`. */
export function webPod(name: string, traits: PodTraits = {}): Pod {
  return pod(name, {
    namespace: "shop",
    owner: { apiVersion: "apps/v1", kind: "ReplicaSet", name: "web-1" },
    ...traits,
  });
}

/** A simulated Pod of `web` whose server is on this machine. */
export function simulatedPod(name: string, url: string): Pod {
  return webPod(name, { annotations: { [endpointAnnotation]: new URL(url).host } });
}

/** An HTTP server that ends with the test. */
export async function startServer(script: ServerScript, tls?: ServerOptions) {
  const server = await scriptedServer(script, tls);
  onTestFinished(() => server.close());
  return server;
}

/** A configuration with one picker for `web`, of these members in YAML. */
export function pickerForWeb(members: string): string {
  const lines = members.trim().split("\n");
  return `
apiVersion: trimtab.dev/v1alpha1
kind: PickerConfiguration
pickers:
  - name: web
    workload: { namespace: shop, name: web }
    timeout: 20s
${lines.map((line) => `    ${line}`).join("\n")}
`;
}

export interface ServedOptions {
  readonly pods: readonly Pod[];
  /** Whether Pods are asked on this machine. Absent: yes. */
  readonly isSimulated?: boolean;
}

/** An API server with the namespace `shop`, its Deployment `web`, and these Pods. */
function shop(all: readonly Pod[]): TestApi {
  const api = testApi();
  api.seed(namespaces, { metadata: { name: "shop" }, spec: {}, status: { phase: "Active" } });
  api.seed(deployments, deployment("web", { namespace: "shop" }));
  api.seed(replicaSets, replicaSet("web-1", { namespace: "shop", owner: "web" }));
  for (const each of all) api.seed(pods, each);
  return api;
}

/** The pickers of a configuration, beside an API server that has `web` and these Pods. */
export async function serveConfiguration(yaml: string, { pods: all, isSimulated = true }: ServedOptions) {
  const read = parseConfiguration(yaml);
  if (!read.ok) throw new Error(read.problems.join("\n"));
  const api = shop(all);
  const [log, metrics, stopping] = [collectingLogger(), memoryMetrics(), new AbortController()];
  const served = servablePickers({
    configuration: read.value,
    client: api.client,
    clock: new WallClock(),
    random: seededRandom("served"),
    log,
    metrics,
    isSimulated,
    signal: stopping.signal,
  });
  const running = served.run();
  onTestFinished(async () => {
    stopping.abort(new Error("enough"));
    await running;
    await served.picker.stop();
  });
  await served.ready();
  /** A question about `web`, unless it says otherwise. */
  const ask = (candidates: readonly string[], requested = 1, other: Partial<PickQuestion> = {}) =>
    served.picker.answer({
      requested,
      candidates,
      namespace: "shop",
      workload: { kind: "Deployment", name: "web" },
      ...other,
    });
  /** What the sources say about Pods of `web`. */
  const scores = async (names: readonly string[]) => {
    const asked = { namespace: "shop", workload: { kind: "Deployment", name: "web" } };
    const evaluator = served.served.evaluatorFor(asked);
    const found = await evaluator?.evaluate({ ...asked, pods: names, signal: stopping.signal });
    return Object.fromEntries((found ?? []).map(({ pod, ...score }) => [pod, score]));
  };
  /** The events on the workload. */
  const recorded = async () => {
    const { items } = await api.client.list(events, { namespace: "shop" });
    return items.map(({ reason, message, involvedObject: { kind, name } }) => ({
      reason,
      message,
      of: `${kind}/${name}`,
    }));
  };
  return { ...served, ask, scores, log, metrics, api, recorded };
}
