import type { StatefulSet } from "../../src/api/generated/apps-v1.ts";
import { deletionCost } from "../../src/api/deletion-cost.ts";
import { preferredLabel } from "../../src/decisions/downscale/rules.ts";
import { explainStatefulSet } from "../../src/decisions/explain/explain-stateful-set.ts";
import { isInRange } from "../../src/decisions/stateful/ordinal.ts";
import type { PreviewInput } from "./removal.ts";
import type { ScalePreview } from "./scale-preview.ts";

/** What another size of a StatefulSet would do: its ordinals alone decide, the highest goes first. */
export function previewStatefulScale(
  { metadata: { namespace = "", name } }: StatefulSet,
  replicas: number,
  { objects, context: { now, gates } }: PreviewInput,
): ScalePreview | undefined {
  const workload = { kind: "StatefulSet", namespace, name } as const;
  const explained = explainStatefulSet(objects, { workload, now, gates: () => gates, replicas });
  if (explained === undefined) return undefined;
  const { range, pods } = explained;
  const going = pods.filter(({ ordinal }) => !isInRange(range, ordinal));
  const existing = pods.filter(({ ordinal, state }) => isInRange(range, ordinal) && state !== "missing");
  const known = new Map(
    objects.pods
      .filter(({ metadata }) => metadata.namespace === namespace)
      .map((pod) => [pod.metadata.name, pod]),
  );
  const removals = going.flatMap(({ pod: podName, because }, index) => {
    const pod = known.get(podName);
    if (pod === undefined) return [];
    const isPreferred = Object.hasOwn(pod.metadata.labels ?? {}, preferredLabel);
    const cost = deletionCost(pod);
    const place = { owner: name, place: index + 1, rule: "ordinal", isOpen: false };
    return [{ ...place, pod, reason: because, deletionCost: cost, isPreferred }];
  });
  const because = createdSentence(range.replicas - existing.length, explained.policy);
  return { removals, creations: [], because, held: [], pickers: [] };
}

function createdSentence(count: number, policy: "OrderedReady" | "Parallel"): string {
  if (count === 0) return "";
  const pods = count === 1 ? "1 Pod would be created" : `${count} Pods would be created`;
  return policy === "Parallel" ? pods : `${pods}, each once those with lower ordinals are available`;
}
