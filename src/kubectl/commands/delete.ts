import { isNotFound } from "../../machinery/client/api-error.ts";
import { failure, throwAll } from "../command-failure.ts";
import { type Context, say } from "../context.ts";
import type { KubectlCommand } from "../kubectl-command.ts";
import { allNamespacesFlag, dryRunFlags, fileFlags, selectorFlags } from "../line/common-flags.ts";
import { type DryRunMode, dryRunOf, dryRunSuffix } from "../line/dry-run.ts";
import { fetchTargets, type Item, selectingOf } from "../selection/fetch-objects.ts";
import { nameText } from "../selection/kube-object.ts";
import { changedTargets } from "../selection/manifest-targets.ts";
import { fullSingular, resourcePath } from "../server/discovery.ts";
import { waitForDeletion } from "../waiting/wait-for-deletion.ts";

/** `kubectl delete`. */
export const deleteCommand: KubectlCommand = {
  summary: "Delete resources by file names, stdin, resources and names, or by resources and label selector",
  operands: "types-and-names",
  flags: {
    ...selectorFlags,
    ...fileFlags,
    ...allNamespacesFlag,
    ...dryRunFlags,
    all: { type: "boolean" },
    cascade: {
      type: "string",
      implied: "background",
      default: "background",
      choices: ["background", "foreground", "orphan"],
    },
    force: { type: "boolean" },
    "grace-period": { type: "string", default: "-1" },
    now: { type: "boolean" },
    wait: { type: "boolean", default: true },
    timeout: { type: "string", default: "0s" },
    "ignore-not-found": { type: "boolean" },
    output: { type: "string", short: "o", choices: ["name"] },
  },
  async run(context) {
    const deletion = deletionOf(context);
    const targets = await changedTargets(context);
    const selecting = selectingOf(context, false);
    const { items, errors } = await fetchTargets(context, targets, selecting);
    const isIgnored = context.isOn("ignore-not-found") || targets.every(({ name }) => name === undefined);
    const failed = errors.filter((error) => !isIgnored || !isNotFound(error));
    const deleted: Item[] = [];
    for (const item of items) {
      try {
        await deleteItem(context, item, deletion);
        deleted.push(item);
      } catch (error) {
        failed.push(error);
      }
    }
    throwAll(failed);
    const isNamed = targets.some(({ name }) => name !== undefined);
    if (items.length === 0 && !isNamed) say(context, "No resources found");
    if (context.isOn("wait") && deletion.dryRun === "none")
      await waitForDeletion(context, deleted, context.text("timeout"));
  },
};

interface Deletion {
  readonly body: object;
  readonly dryRun: DryRunMode;
  readonly isForced: boolean;
}

const policies: Readonly<Record<string, string>> = {
  background: "Background",
  true: "Background",
  foreground: "Foreground",
  orphan: "Orphan",
  false: "Orphan",
};

function deletionOf(context: Context): Deletion {
  const isForced = context.isOn("force");
  const given = Number(context.text("grace-period"));
  const policy = policies[context.text("cascade")];
  if (policy === undefined)
    throw failure(
      `invalid cascade value (${context.text("cascade")}). Must be "background", "foreground", or "orphan".`,
    );
  if (given === 0 && !isForced) context.io.err(zeroWarning);
  if (isForced)
    context.io.err(
      "Warning: Immediate deletion does not wait for confirmation that the running resource has been terminated. The resource may continue to run on the cluster indefinitely.\n",
    );
  const seconds = isForced ? 0 : context.isOn("now") || given === 0 ? 1 : given;
  return {
    dryRun: dryRunOf(context),
    isForced,
    body: {
      kind: "DeleteOptions",
      apiVersion: "v1",
      propagationPolicy: policy,
      ...(seconds >= 0 && { gracePeriodSeconds: seconds }),
    },
  };
}

const zeroWarning = "warning: --grace-period=0 is only used with --force: the Pod gets a second\n";

async function deleteItem(context: Context, { resource, object }: Item, deletion: Deletion): Promise<void> {
  const { name, namespace } = object.metadata;
  const { body, dryRun, isForced } = deletion;
  if (dryRun !== "client")
    await context.server.send(
      {
        method: "DELETE",
        path: resourcePath(resource, { namespace, name }),
        contentType: "application/json",
        body: JSON.stringify(body),
      },
      dryRun === "server" ? { dryRun: "All" } : {},
    );
  if (context.text("output") === "name") say(context, nameText(object));
  else
    say(
      context,
      `${fullSingular(resource)} ${JSON.stringify(name)} ${isForced ? "force deleted" : "deleted"}${dryRunSuffix(dryRun)}`,
    );
}
