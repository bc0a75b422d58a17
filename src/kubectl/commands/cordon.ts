import { usageFailure } from "../command-failure.ts";
import { type Context, say } from "../context.ts";
import type { KubectlCommand } from "../kubectl-command.ts";
import { dryRunFlags } from "../line/common-flags.ts";
import { type DryRunMode, dryRunOf, dryRunSuffix } from "../line/dry-run.ts";
import { fetchTargets, type Item, selectingOf } from "../selection/fetch-objects.ts";
import { findType } from "../selection/find-type.ts";
import { at } from "../selection/kube-object.ts";
import { patchObject } from "../server/write-object.ts";
import { throwAll } from "../command-failure.ts";

const flags = { ...dryRunFlags, selector: { type: "string", short: "l" } } as const;

/** `kubectl cordon`. */
export const cordon: KubectlCommand = {
  summary: "Mark node as unschedulable",
  operands: "nodes",
  flags,
  run: (context) => cordonNodes(context, true),
};

/** `kubectl uncordon`. */
export const uncordon: KubectlCommand = {
  summary: "Mark node as schedulable",
  operands: "nodes",
  flags,
  run: (context) => cordonNodes(context, false),
};

async function cordonNodes(context: Context, isCordoned: boolean): Promise<void> {
  const { items, errors } = await namedNodes(context);
  const dryRun = dryRunOf(context);
  for (const node of items) await cordonNode(context, node, { isCordoned, dryRun });
  throwAll(errors);
}

/** The nodes that a command names. */
export async function namedNodes(context: Context) {
  const isSelected = context.text("selector") !== "";
  if (context.operands.length === 0 && !isSelected)
    throw usageFailure(context.command, `USAGE: ${context.command} NODE [flags]`);
  const resource = findType(await context.server.resources(), "nodes");
  const targets = isSelected
    ? [{ resource }]
    : context.operands.map((word) => ({ resource, name: word.replace(/^nodes?\//, "") }));
  return fetchTargets(context, targets, selectingOf(context, true));
}

/** Cordons a node, or lets it be used again, and says so. */
export async function cordonNode(
  context: Context,
  node: Item,
  { isCordoned, dryRun }: { readonly isCordoned: boolean; readonly dryRun: DryRunMode },
): Promise<void> {
  const is = at(node.object, "spec", "unschedulable") === true;
  const done = isCordoned ? "cordoned" : "uncordoned";
  const body = { spec: { unschedulable: isCordoned ? true : null } };
  if (is !== isCordoned && dryRun !== "client")
    await patchObject(context, node, {
      type: "strategic",
      body,
      manager: `kubectl-${context.command}`,
      dryRun,
    });
  const { name } = node.object.metadata;
  say(context, `node/${name} ${is === isCordoned ? "already " : ""}${done}${dryRunSuffix(dryRun)}`);
}
