import { makeNamespace } from "../embedded-cluster.ts";
import type { Client } from "../../src/machinery/client/client.ts";
import { LossStage, type Seen, type SetKind } from "./loss-stage.ts";
import { type PodWatch, watchPods } from "./pod-watch.ts";

/** What was seen of a set whose node was lost. */
export interface NodeLoss {
  /** The Pods and the counts of the status, once each step has had its effect. */
  readonly steps: readonly (readonly [string, Seen])[];
  /** What happened to the Pods of each ordinal, or of each node for daemon Pods, in order. */
  readonly order: readonly string[];
}

/** Makes two nodes for a set, loses one of them for good, and says what becomes of the Pods. */
export async function playNodeLoss(client: Client, namespace: string, kind: SetKind): Promise<NodeLoss> {
  await makeNamespace(client, namespace);
  const watch = watchPods(client, namespace);
  const stage = new LossStage(client, namespace, kind);
  const steps = await (kind === "StatefulSet" ? loseOrdinals(stage) : loseDaemon(stage));
  const order = orderOf(watch, stage);
  await watch.stop();
  await stage.end();
  return { steps, order };
}

/** Both Pods are on the node that is lost: they stay until they are known to be gone. */
async function loseOrdinals(stage: LossStage): Promise<NodeLoss["steps"]> {
  await stage.addNode("lost");
  await stage.createSet({ replicas: 2, serviceName: "web" });
  const before = await stage.until(["web-0 on lost, web:1, ready", "web-1 on lost, web:1, ready"], {
    readyReplicas: 2,
    updatedReplicas: 2,
  });
  await stage.addNode("spare");
  await stage.silence("lost");
  const lost = await stage.until(["web-0 on lost, web:1, terminating", "web-1 on lost, web:1, terminating"], {
    readyReplicas: 0,
    updatedReplicas: 0,
  });
  await stage.forceDelete("web-0 on lost");
  const forced = await stage.until(["web-0 on spare, web:1, ready", "web-1 on lost, web:1, terminating"], {
    readyReplicas: 1,
    updatedReplicas: 1,
  });
  await stage.putOutOfService("lost");
  const out = await stage.until(["web-0 on spare, web:1, ready", "web-1 on spare, web:1, ready"], {
    readyReplicas: 2,
    updatedReplicas: 2,
  });
  return [
    ["before", before],
    ["the node is lost", lost],
    ["web-0 is deleted by force", forced],
    ["the node is out of service", out],
  ];
}

/** The Pod tolerates that its node is lost; once it is gone the taints of the node keep the next one away. */
async function loseDaemon(stage: LossStage): Promise<NodeLoss["steps"]> {
  await stage.addNode("lost");
  await stage.addNode("spare");
  await stage.createSet({ updateStrategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: 2 } } });
  const before = await stage.until(["daemon on lost, web:1, ready", "daemon on spare, web:1, ready"], {
    numberAvailable: 2,
  });
  await stage.silence("lost");
  const lost = await stage.until(["daemon on lost, web:1, not ready", "daemon on spare, web:1, ready"], {
    numberAvailable: 1,
  });
  await stage.toImage("web:2");
  const updated = await stage.until(["daemon on lost, web:1, terminating", "daemon on spare, web:2, ready"], {
    numberAvailable: 1,
    numberMisscheduled: 1,
    updatedNumberScheduled: 1,
  });
  await stage.forceDelete("daemon on lost");
  const forced = await stage.until(["daemon on spare, web:2, ready"], {
    numberAvailable: 1,
    numberMisscheduled: 0,
  });
  await stage.deleteNode("lost");
  await stage.toImage("web:3");
  const gone = await stage.until(["daemon on spare, web:3, ready"], {
    numberAvailable: 1,
    updatedNumberScheduled: 1,
  });
  return [
    ["before", before],
    // Upstream's other counts lag behind until the next sync: a taint that deletes no Pod causes none.
    ["the node is lost", { ...lost, status: { numberAvailable: lost.status["numberAvailable"] ?? 0 } }],
    ["the image is another", updated],
    ["the Pod is deleted by force", forced],
    ["the node is deleted", gone],
  ];
}

/** What happened to the Pods, each sign of it once. */
function orderOf(watch: PodWatch, stage: LossStage): readonly string[] {
  const happened = new Map<string, string[]>();
  const noted = new Set<string>();
  for (const seen of watch.history()) {
    const { uid } = seen.pod.metadata;
    const subject = stage.subjectOf(seen.pod);
    for (const sign of stage.signsOf(seen).filter((each) => !noted.has(`${each} ${uid}`))) {
      noted.add(`${sign} ${uid}`);
      happened.set(subject, [...(happened.get(subject) ?? []), sign]);
    }
  }
  return [...happened].map(([subject, signs]) => `${subject}: ${signs.join(", ")}`).sort();
}
