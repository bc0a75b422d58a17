import { isNotFound } from "../../machinery/client/api-error.ts";
import { failure, throwAll } from "../command-failure.ts";
import type { Context } from "../context.ts";
import { describeObject } from "../describe/describers.ts";
import type { KubectlCommand } from "../kubectl-command.ts";
import { allNamespacesFlag, fileFlags, selectorFlags } from "../line/common-flags.ts";
import { type Fetched, fetchTargets, selectingOf, targetsOf } from "../selection/fetch-objects.ts";
import { readNamedManifests } from "../selection/read-manifests.ts";
import type { Target } from "../selection/targets.ts";

/** `kubectl describe`. */
export const describe: KubectlCommand = {
  summary: "Show details of a specific resource or group of resources",
  operands: "types-and-names",
  flags: {
    ...selectorFlags,
    ...fileFlags,
    ...allNamespacesFlag,
    "show-events": { type: "boolean", default: true },
    "chunk-size": { type: "string", default: "500" },
  },
  async run(context) {
    const selecting = selectingOf(context, true);
    const targets = await targetsIn(context);
    const named = await fetchTargets(context, targets, selecting);
    const fetched = await withPrefixes(context, targets, named);
    const texts: string[] = [];
    for (const { object } of fetched.items) texts.push(await describeObject(context, object));
    context.io.out(fetched === named ? texts.join("\n\n") : texts.map((text) => `${text}\n`).join(""));
    throwAll(fetched.errors);
    if (texts.length > 0) return;
    const where = selecting.allNamespaces ? "" : ` in ${context.namespace} namespace.`;
    context.io.err(`No resources found${where}\n`);
  },
};

async function targetsIn(context: Context): Promise<readonly Target[]> {
  if (context.list("filename").length > 0)
    return (await readNamedManifests(context)).map(({ resource, object: { metadata } }) => ({
      resource,
      ...metadata,
    }));
  if (context.operands.length === 0)
    throw failure(
      'You must specify the type of resource to describe. Use "kubectl api-resources" for a complete list of supported resources.',
    );
  return targetsOf(context, context.operands, selectingOf(context, true));
}

/** A name that nothing has may be the beginning of others. */
async function withPrefixes(
  context: Context,
  targets: readonly Target[],
  fetched: Fetched,
): Promise<Fetched> {
  const [target] = targets;
  const isOneMissing =
    targets.length === 1 && context.operands.length === 2 && fetched.errors.some(isNotFound);
  if (!isOneMissing || target?.name === undefined) return fetched;
  const { name, resource } = target;
  const { items } = await fetchTargets(context, [{ resource }]);
  const matching = items.filter(({ object }) => object.metadata.name.startsWith(name));
  return matching.length === 0 ? fetched : { items: matching, errors: [] };
}
