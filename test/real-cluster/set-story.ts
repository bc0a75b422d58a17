import type { StatefulSet } from "../../src/api/generated/apps-v1.ts";
import type { Pod } from "../../src/api/generated/core-v1.ts";
import type { Resource } from "../../src/api/resource.ts";
import { isReady } from "../../src/api/pod-state.ts";
import { daemonSets, pods, statefulSets } from "../../src/api/resources.ts";
import type { Client } from "../../src/machinery/client/client.ts";
import { randomInt, seededRandom } from "../../src/machinery/random/random.ts";
import { makeNamespace } from "../embedded-cluster.ts";
import { orderOnNodes } from "./node-order.ts";
import { type PodWatch, watchPods } from "./pod-watch.ts";
import { creationEvents, outcomeOf, podsOf, untilDone } from "./set-outcome.ts";
import { broken, quickTemplate, type Step, type Story } from "./story.ts";
import { setTaint, untilPodsAreOn } from "./taint-story.ts";

const change = (spec: object): Step => ({ do: "change", spec });
const toImage = (image: string, spec: object = {}) => change({ template: quickTemplate(image), ...spec });

/** Steps that a seed draws: sizes, images with partitions, a broken revision that is mended, Pods that users delete. */
export function drawSteps(seed: string, count: number): readonly Step[] {
  const random = seededRandom(seed);
  const partition = () => ({
    updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: randomInt(random, 4) } },
  });
  const image = () => `web:${1 + randomInt(random, 4)}`;
  const draws: readonly (() => readonly Step[])[] = [
    () => [change({ replicas: 1 + randomInt(random, 5) })],
    () => [toImage(image(), partition())],
    () => [change(partition())],
    () => [
      toImage(broken),
      change({ replicas: 1 + randomInt(random, 5) }),
      toImage(image()),
      { do: "delete-sick-pods" },
    ],
    () => [{ do: "delete-pods", ordinals: [0, 1, 2, 3].filter(() => randomInt(random, 2) === 0) }],
  ];
  return Array.from(
    { length: count },
    (_, index) => draws[(index + randomInt(random, 2)) % draws.length]?.() ?? [],
  ).flat();
}

/** Of Pods that do not wait for each other only what happened to them is compared. */
const inOrder = (spec: object, order: readonly string[]) =>
  "podManagementPolicy" in spec && spec.podManagementPolicy === "Parallel" ? order.toSorted() : order;

/** Plays a story in a namespace of its own; returns what came of it, without what differs between any two runs. */
export async function play(client: Client, namespace: string, story: Story) {
  const { kind, spec, steps } = story;
  await makeNamespace(client, namespace);
  const watch = watchPods(client, namespace);
  const at = { namespace, name: "web" };
  const resource = (kind === "StatefulSet" ? statefulSets : daemonSets) as Resource<StatefulSet>;
  const body = { selector: { matchLabels: { app: "web" } }, template: quickTemplate("web:1"), ...spec };
  await client.create(resource, {
    metadata: at,
    spec: body,
  });
  const byUser = new Set<string>();
  const remove = async (chosen: (pod: Pod) => boolean) => {
    for (const pod of (await podsOf(client, namespace)).filter(chosen)) {
      byUser.add(pod.metadata.uid);
      await client.delete(pods, { namespace, name: pod.metadata.name });
    }
  };
  const perform = async (step: Step): Promise<unknown> => {
    switch (step.do) {
      case "change":
        return client.patch(resource, at, { type: "merge", body: { spec: step.spec } as never });
      case "taint":
        return setTaint(client, step);
      case "delete-sick-pods":
        return remove((pod) => !isReady(pod));
      case "delete-pods":
        return remove(({ metadata }) => step.ordinals.some((ordinal) => metadata.name === `web-${ordinal}`));
      case "delete-pods-on":
        return remove((pod) => pod.spec.nodeName === step.node);
    }
  };
  await untilDone(client, namespace, kind);
  for (const step of steps) {
    await perform(step);
    if ("on" in step) await untilPodsAreOn(client, namespace, step.on ?? []);
    await untilDone(client, namespace, kind);
  }
  const isByUser = ({ uid }: { readonly uid: string }) => byUser.has(uid);
  const outcome = await outcomeOf(client, namespace, kind);
  const happened =
    kind === "StatefulSet"
      ? await orderOfOrdinals(client, namespace, { spec, watch, isByUser })
      : { messages: [], order: [], nodes: orderOnNodes(watch.history(), story) };
  await watch.stop();
  await client.delete(resource, at);
  return { ...outcome, ...happened };
}

interface Watched {
  readonly spec: object;
  readonly watch: PodWatch;
  readonly isByUser: (pod: { readonly uid: string }) => boolean;
}

async function orderOfOrdinals(client: Client, namespace: string, { spec, watch, isByUser }: Watched) {
  const order = watch.order().filter((change) => change.what === "created" || !isByUser(change));
  const created = order.flatMap(({ what, name }) => (what === "created" ? [name] : []));
  return {
    messages: await creationEvents(client, namespace, created),
    order: inOrder(
      spec,
      order.map(({ what, name }) => `${what} ${name}`),
    ),
    nodes: undefined,
  };
}
