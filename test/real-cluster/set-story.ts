import type { StatefulSet } from "../../src/api/generated/apps-v1.ts";
import type { Pod, PodTemplateSpec } from "../../src/api/generated/core-v1.ts";
import type { Resource } from "../../src/api/resource.ts";
import { isReady } from "../../src/api/pod-state.ts";
import { daemonSets, pods, statefulSets } from "../../src/api/resources.ts";
import type { Client } from "../../src/machinery/client/client.ts";
import { randomInt, seededRandom } from "../../src/machinery/random/random.ts";
import { template } from "../deployment/builders.ts";
import { makeNamespace } from "../embedded-cluster.ts";
import { watchPods } from "./pod-watch.ts";
import { creationEvents, outcomeOf, podsOf, untilDone } from "./set-outcome.ts";

/** What a user does to the set `web`, each once the set has done what it can about the one before. */
export type Step =
  | { readonly do: "change"; readonly spec: object }
  | { readonly do: "delete-pods"; readonly ordinals: readonly number[] }
  | { readonly do: "delete-sick-pods" };

export interface Story {
  readonly name: string;
  readonly kind: "StatefulSet" | "DaemonSet";
  readonly spec: object;
  readonly steps: readonly Step[];
}

const broken = "web:broken";

/** A template whose Pods start and end soon; those of a broken image never become ready. */
export function quickTemplate(image: string): PodTemplateSpec {
  const made = template({
    image,
    startsIn: "20ms",
    endsIn: "100ms",
    ...(image === broken && { readyIn: "never" }),
  });
  // Merge patches keep the annotations of the template before, which therefore has all of them.
  const annotations = {
    "sim.trimtab.dev/neverReady": String(image === broken),
    ...made.metadata?.annotations,
  };
  return { ...made, metadata: { ...made.metadata, annotations } };
}

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
  await untilDone(client, namespace, kind);
  for (const step of steps) {
    if (step.do === "change")
      await client.patch(resource, at, {
        type: "merge",
        body: { spec: step.spec } as never,
      });
    else if (step.do === "delete-sick-pods") await remove((pod) => !isReady(pod));
    else await remove(({ metadata }) => step.ordinals.some((ordinal) => metadata.name === `web-${ordinal}`));
    await untilDone(client, namespace, kind);
  }
  const order = watch.order().filter(({ what, uid }) => what === "created" || !byUser.has(uid));
  await watch.stop();
  const outcome = await outcomeOf(client, namespace, kind);
  // The names of daemon Pods are drawn, and so is the order of their nodes.
  const isOrdered = kind === "StatefulSet";
  const created = order.flatMap(({ what, name }) => (what === "created" ? [name] : []));
  const messages = isOrdered ? await creationEvents(client, namespace, created) : [];
  await client.delete(resource, at);
  return {
    ...outcome,
    messages,
    order: isOrdered
      ? inOrder(
          spec,
          order.map(({ what, name }) => `${what} ${name}`),
        )
      : [],
  };
}
