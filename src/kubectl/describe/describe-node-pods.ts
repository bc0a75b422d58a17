import { compareText } from "../../api/compare-text.ts";
import type { Json, JsonObject } from "../../api/json.ts";
import { formatQuantity } from "../../api/quantity/format-quantity.ts";
import { parseQuantity, type Quantity, zero } from "../../api/quantity/quantity.ts";
import { at, mapAt, textAt } from "../selection/kube-object.ts";
import { type Lines, sinceText } from "./describe-lines.ts";
import { added, type PodAmounts, podAmounts } from "./pod-amounts.ts";

const standard = ["cpu", "memory", "ephemeral-storage"];

/** The Pods of a node, and what they request of it together. */
export function nodePodLines(node: JsonObject, pods: readonly JsonObject[], now: number): Lines {
  const allocatable = allocatableOf(node);
  const totals = (which: "requests" | "limits") =>
    pods.map((pod) => podAmounts(pod, which)).reduce<PodAmounts>(added, new Map());
  const [requests, limits] = [totals("requests"), totals("limits")];
  const shares = (name: string) =>
    `  ${name}\t${shareText(requests.get(name), allocatable, name)}\t${shareText(limits.get(name), allocatable, name)}`;
  const others = [...allocatable.keys()]
    .filter((name) => !standard.includes(name) && name !== "pods")
    .toSorted(compareText);
  return [
    `Non-terminated Pods:\t(${pods.length} in total)`,
    "  Namespace\tName\t\tCPU Requests\tCPU Limits\tMemory Requests\tMemory Limits\tAge",
    "  ---------\t----\t\t------------\t----------\t---------------\t-------------\t---",
    ...pods.map((pod) => podLine(pod, allocatable, now)),
    "Allocated resources:",
    "  (Total limits may be over 100 percent, i.e., overcommitted.)",
    "  Resource\tRequests\tLimits",
    "  --------\t--------\t------",
    ...[...standard, ...others.filter((name) => name.startsWith("hugepages-"))].map(shares),
    ...others
      .filter((name) => !name.startsWith("hugepages-"))
      .map(
        (name) =>
          `  ${name}\t${formatQuantity(requests.get(name) ?? zero)}\t${formatQuantity(limits.get(name) ?? zero)}`,
      ),
  ];
}

function allocatableOf(node: JsonObject): PodAmounts {
  const given = mapAt(node, "status", "allocatable");
  const amounts: Json | undefined = Object.keys(given).length > 0 ? given : at(node, "status", "capacity");
  return new Map(Object.entries(mapAt(amounts)).map(([name, value]) => [name, parseQuantity(value) ?? zero]));
}

function podLine(pod: JsonObject, allocatable: PodAmounts, now: number): string {
  const [requests, limits] = [podAmounts(pod, "requests"), podAmounts(pod, "limits")];
  const shares = ["cpu", "memory"].flatMap((name) =>
    [requests, limits].map((amounts) => shareText(amounts.get(name), allocatable, name)),
  );
  const place = `${textAt(pod, "metadata", "namespace")}\t${textAt(pod, "metadata", "name")}\t`;
  return `  ${[place, ...shares, sinceText(at(pod, "metadata", "creationTimestamp"), now)].join("\t")}`;
}

/** An amount, and how much of the node it is in percent. */
function shareText(amount: Quantity = zero, allocatable: PodAmounts, name: string): string {
  const all = allocatable.get(name)?.nanos ?? 0n;
  return `${formatQuantity(amount)} (${all === 0n ? 0 : (amount.nanos * 100n) / all}%)`;
}
