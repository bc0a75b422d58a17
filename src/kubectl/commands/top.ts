import { compareText } from "../../api/compare-text.ts";
import type { JsonObject } from "../../api/json.ts";
import {
  addQuantities,
  milliUnits,
  parseQuantity,
  type Quantity,
  wholeUnits,
  zero,
} from "../../api/quantity/quantity.ts";
import { failure } from "../command-failure.ts";
import type { Context } from "../context.ts";
import type { KubectlCommand } from "../kubectl-command.ts";
import { allNamespacesFlag, selectorFlags } from "../line/common-flags.ts";
import { alignColumns, tableSpacing } from "../output/align-columns.ts";
import { type KubeObject, at, listAt, textAt } from "../selection/kube-object.ts";
import { findType } from "../selection/find-type.ts";
import { listObjects } from "../selection/fetch-objects.ts";

const flags = {
  ...selectorFlags,
  ...allNamespacesFlag,
  "no-headers": { type: "boolean" },
  "sort-by": { type: "string", choices: ["cpu", "memory"] },
  containers: { type: "boolean" },
  sum: { type: "boolean" },
  "use-protocol-buffers": { type: "boolean" },
  "show-capacity": { type: "boolean" },
} as const;

interface Usage {
  readonly cpu: Quantity;
  readonly memory: Quantity;
}

const usageOf = (object: JsonObject): Usage => ({
  cpu: parseQuantity(textAt(object, "usage", "cpu")) ?? zero,
  memory: parseQuantity(textAt(object, "usage", "memory")) ?? zero,
});

const cpuText = ({ cpu }: Usage) => `${milliUnits(cpu)}m`;
const memoryText = ({ memory }: Usage) => `${Math.floor(wholeUnits(memory) / (1024 * 1024))}Mi`;

/** Reads measurements: of one object, or of all that the selector matches. */
async function measured(context: Context, plural: string, namespace: string): Promise<readonly KubeObject[]> {
  const base = `/apis/metrics.k8s.io/v1beta1${namespace === "" ? "" : `/namespaces/${namespace}`}/${plural}`;
  const [name] = context.operands;
  if (name !== undefined)
    return [(await context.server.get(`${base}/${encodeURIComponent(name)}`)) as KubeObject];
  const selector = context.text("selector");
  const list = await context.server.get(base, selector === "" ? {} : { labelSelector: selector });
  const items = listAt(list, "items") as unknown as readonly KubeObject[];
  return items.toSorted((one, other) => compareText(one.metadata.name, other.metadata.name));
}

type Row = Usage & { readonly cells: readonly string[]; readonly more?: readonly string[] };

function sorted(context: Context, rows: readonly Row[]): readonly Row[] {
  const by = context.text("sort-by");
  if (by === "") return rows;
  if (by !== "cpu" && by !== "memory") throw failure("--sort-by accepts only cpu or memory");
  return rows.toSorted((one, other) => Number(other[by].nanos - one[by].nanos));
}

function print(context: Context, header: readonly string[], rows: readonly (readonly string[])[]): void {
  const lines = [...(context.isOn("no-headers") ? [] : [header]), ...rows];
  context.io.out(`${alignColumns(lines.map((cells) => `${cells.join("\t")}\t`).join("\n"), tableSpacing)}\n`);
}

const topPods: KubectlCommand = {
  summary: "Display resource (CPU/memory) usage of pods",
  aliases: ["pods", "po"],
  operands: "pods",
  flags,
  async run(context) {
    const isAll = context.isOn("all-namespaces");
    const pods = await measured(context, "pods", isAll ? "" : context.namespace);
    if (pods.length === 0) {
      context.io.err(
        isAll ? "No resources found\n" : `No resources found in ${context.namespace} namespace.\n`,
      );
      return;
    }
    const place = (pod: KubeObject) => (isAll ? [pod.metadata.namespace ?? ""] : []);
    const isSplit = context.isOn("containers");
    const rows = pods.flatMap((pod): readonly Row[] => {
      const containers = listAt(pod, "containers");
      if (isSplit)
        return containers.map((each) => ({
          ...usageOf(each),
          cells: [...place(pod), pod.metadata.name, textAt(each, "name")],
        }));
      const total = containers.map(usageOf).reduce(
        (sum, each) => ({
          cpu: addQuantities(sum.cpu, each.cpu),
          memory: addQuantities(sum.memory, each.memory),
        }),
        { cpu: zero, memory: zero },
      );
      return [{ ...total, cells: [...place(pod), pod.metadata.name] }];
    });
    const header = [
      ...(isAll ? ["NAMESPACE"] : []),
      ...(isSplit ? ["POD", "NAME"] : ["NAME"]),
      "CPU(cores)",
      "MEMORY(bytes)",
    ];
    print(
      context,
      header,
      sorted(context, rows).map((row) => [...row.cells, cpuText(row), memoryText(row)]),
    );
  },
};

const topNodes: KubectlCommand = {
  summary: "Display resource (CPU/memory) usage of nodes",
  aliases: ["nodes", "no"],
  operands: "nodes",
  flags,
  async run(context) {
    const metrics = await measured(context, "nodes", "");
    const resource = findType(await context.server.resources(), "nodes");
    const nodes = await listObjects(context, { resource, namespace: "" });
    const rows = metrics.map((each): Row => {
      const node = nodes.find(({ metadata }) => metadata.name === each.metadata.name);
      return { ...usageOf(each), cells: [each.metadata.name], more: shares(usageOf(each), node) };
    });
    const header = ["NAME", "CPU(cores)", "CPU(%)", "MEMORY(bytes)", "MEMORY(%)"];
    print(
      context,
      header,
      sorted(context, rows).map((row) => [
        ...row.cells,
        cpuText(row),
        row.more?.[0] ?? "",
        memoryText(row),
        row.more?.[1] ?? "",
      ]),
    );
  },
};

/** How much of a node is used, in percent. */
function shares(usage: Usage, node: JsonObject | undefined): readonly string[] {
  return (["cpu", "memory"] as const).map((name) => {
    const all = parseQuantity(textAt(at(node, "status", "allocatable", name)))?.nanos ?? 0n;
    return all === 0n ? "<unknown>" : `${(usage[name].nanos * 100n) / all}%`;
  });
}

/** `kubectl top`. */
export const top: KubectlCommand = {
  summary: "Display resource (CPU/memory) usage",
  commands: { pod: topPods, node: topNodes },
};
