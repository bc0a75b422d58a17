import type { StatefulSet } from "../../src/api/generated/apps-v1.ts";
import type { Pod } from "../../src/api/generated/core-v1.ts";
import { isBeingDeleted } from "../../src/api/object.ts";
import { isReady, isTerminal } from "../../src/api/pod-state.ts";
import type { Resource } from "../../src/api/resource.ts";
import { daemonSets, nodes, pods, statefulSets } from "../../src/api/resources.ts";
import {
  hostnameLabel,
  unreachableAnnotation,
  unreachableTaint,
  zoneLabel,
} from "../../src/api/well-known.ts";
import { simulatedNode } from "../../src/cluster/kubelet/nodes/simulated-node.ts";
import { nodeOfDaemonPod } from "../../src/decisions/daemon/daemon-pods.ts";
import type { Client } from "../../src/machinery/client/client.ts";
import { WallClock } from "../../src/machinery/clock/wall-clock.ts";
import { eventually, untilObject } from "./eventually.ts";
import type { SeenPod } from "./pod-watch.ts";
import { podsOf } from "./set-outcome.ts";
import { quickTemplate } from "./story.ts";

export type SetKind = "StatefulSet" | "DaemonSet";

export interface Seen {
  readonly pods: readonly string[];
  readonly status: Readonly<Record<string, number>>;
}

/** The taint of the nodes of these stages, which keeps all other sets away. */
const stageTaint = "node-loss";

const clock = new WallClock();

/** A set with nodes of its own, which may be lost. */
export class LossStage {
  readonly #client: Client;
  readonly #namespace: string;
  readonly #kind: SetKind;
  readonly #nodes = new Map<string, string>();

  constructor(client: Client, namespace: string, kind: SetKind) {
    this.#client = client;
    this.#namespace = namespace;
    this.#kind = kind;
  }

  async addNode(role: string): Promise<void> {
    const name = `${this.#namespace}-${role}`;
    this.#nodes.set(name, role);
    const made = simulatedNode({ index: 100, zones: 1 }, clock.now());
    const labels = { ...made.metadata.labels, [hostnameLabel]: name, [zoneLabel]: this.#namespace };
    await this.#client.create(nodes, {
      ...made,
      metadata: { ...made.metadata, name, labels },
      spec: { taints: [{ key: stageTaint, effect: "NoSchedule" }] },
    });
  }

  async createSet(spec: object): Promise<void> {
    const body = { selector: { matchLabels: { app: "web" } }, template: this.#template("web:1"), ...spec };
    await this.#client.create(this.#resource, { metadata: this.#at, spec: body as never });
  }

  async toImage(image: string): Promise<void> {
    await this.#patchSet({ template: this.#template(image) });
  }

  /** Ends the kubelet of a node, as a power cut does; resolves once the node is known to be lost. */
  async silence(role: string): Promise<void> {
    const metadata = { annotations: { [unreachableAnnotation]: "true" } };
    await this.#client.patch(nodes, this.#node(role), { type: "merge", body: { metadata } });
    await untilObject(this.#client, nodes, this.#node(role), ({ spec }) => {
      const effects = spec?.taints?.filter(({ key }) => key === unreachableTaint).map(({ effect }) => effect);
      return ["NoSchedule", "NoExecute"].every((effect) => effects?.includes(effect) === true);
    });
  }

  /** Says that nothing runs on a node any longer, for which its terminating Pods are removed. */
  async putOutOfService(role: string): Promise<void> {
    const taint = { key: "node.kubernetes.io/out-of-service", effect: "NoExecute" };
    const operations = [{ op: "add", path: "/spec/taints/-", value: taint }];
    await this.#client.patch(nodes, this.#node(role), { type: "json", operations });
  }

  async deleteNode(role: string): Promise<void> {
    await this.#client.delete(nodes, this.#node(role));
  }

  /** Removes a Pod without waiting for its kubelet. */
  async forceDelete(place: string): Promise<void> {
    const found = (await podsOf(this.#client, this.#namespace)).find((pod) => this.placeOf(pod) === place);
    const at = { namespace: this.#namespace, name: found?.metadata.name ?? place };
    await this.#client.delete(pods, at, { gracePeriodSeconds: 0 });
  }

  /** Resolves once the Pods and these counts are so, and neither they nor the set have changed for a second. */
  async until(rows: readonly string[], counts: Seen["status"]): Promise<Seen> {
    let before = "";
    let same = 0;
    return eventually(`${this.#namespace}: ${rows.join("; ")}`, async () => {
      const set = await this.#client.get(this.#resource, this.#at);
      const found = await podsOf(this.#client, this.#namespace);
      const now = [set, ...found].map(({ metadata }) => `${metadata.uid} ${metadata.resourceVersion}`).join();
      const seen = found.map((pod) => `${this.placeOf(pod)}, ${this.#stateOf(pod)}`).sort();
      const isSeen = (set.status?.observedGeneration ?? 0) >= (set.metadata.generation ?? 0);
      const status = countsOf(set.status ?? {});
      const isCounted = Object.entries(counts).every(([name, count]) => (status[name] ?? 0) === count);
      const isThere = isSeen && isCounted && seen.join() === rows.join();
      same = isThere && now === before ? same + 1 : 0;
      before = now;
      return same >= 10 ? { pods: seen, status } : undefined;
    });
  }

  /** Removes the set, and a lost node, for which other controllers would go on to care. */
  async end(): Promise<void> {
    await this.#client.delete(this.#resource, this.#at);
    if (this.#kind === "StatefulSet") await this.deleteNode("lost");
  }

  /** The ordinal, or of daemon Pods, whose names are drawn, the node. */
  subjectOf(pod: Pod): string {
    return this.#kind === "StatefulSet" ? pod.metadata.name : `daemon on ${this.#roleOf(pod)}`;
  }

  placeOf(pod: Pod): string {
    return this.#kind === "StatefulSet"
      ? `${pod.metadata.name} on ${this.#roleOf(pod)}`
      : this.subjectOf(pod);
  }

  /** What a state of a Pod says about it; one that has ended may be replaced before it is gone. */
  signsOf({ pod, isGone }: SeenPod): readonly string[] {
    return [
      "created",
      ...(isReady(pod) && !isBeingDeleted(pod) ? [`ready on ${this.#roleOf(pod)}`] : []),
      ...(isBeingDeleted(pod) || isGone ? ["deleted"] : []),
      ...(isTerminal(pod) || isGone ? ["ended"] : []),
    ];
  }

  #roleOf(pod: Pod): string {
    return this.#nodes.get(nodeOfDaemonPod(pod) ?? "") ?? "no node";
  }

  #stateOf(pod: Pod): string {
    const state = isReady(pod) ? "ready" : "not ready";
    return `${pod.spec.containers[0]?.image}, ${isBeingDeleted(pod) ? "terminating" : state}`;
  }

  #template(image: string) {
    const made = quickTemplate(image);
    const evictedAfter = { operator: "Exists", effect: "NoExecute", tolerationSeconds: 2 };
    const tolerations = [
      { key: stageTaint, operator: "Exists" },
      ...(this.#kind === "StatefulSet" ? [{ key: unreachableTaint, ...evictedAfter }] : []),
    ];
    return { ...made, spec: { ...made.spec, nodeSelector: { [zoneLabel]: this.#namespace }, tolerations } };
  }

  async #patchSet(spec: object): Promise<void> {
    await this.#client.patch(this.#resource, this.#at, { type: "merge", body: { spec } as never });
  }

  #node(role: string) {
    return { name: `${this.#namespace}-${role}` };
  }

  get #at() {
    return { namespace: this.#namespace, name: "web" };
  }

  get #resource() {
    return (this.#kind === "StatefulSet" ? statefulSets : daemonSets) as Resource<StatefulSet>;
  }
}

/** The numbers of Pods in a status. */
function countsOf(status: object): Readonly<Record<string, number>> {
  const counts = Object.entries(status).filter(
    (entry): entry is [string, number] => typeof entry[1] === "number" && entry[0] !== "observedGeneration",
  );
  return Object.fromEntries(counts);
}
