import { isNotFound } from "../../machinery/client/api-error.ts";
import { CommandFailure, failure } from "../command-failure.ts";
import { messageOf } from "../../api/message-of.ts";
import type { KubectlCommand } from "../kubectl-command.ts";
import { dryRunFlags, fileFlags, outputFlags, selectorFlags } from "../line/common-flags.ts";
import { dryRunOf } from "../line/dry-run.ts";
import { objectPrinter } from "../output/object-printer.ts";
import { reportChange } from "../output/report-change.ts";
import { fetchTargets, selectingOf } from "../selection/fetch-objects.ts";
import { numberAt } from "../selection/kube-object.ts";
import { changedTargets } from "../selection/manifest-targets.ts";
import { resourcePath } from "../server/discovery.ts";
import { patchObject } from "../server/write-object.ts";

/** `kubectl scale`. */
export const scale: KubectlCommand = {
  summary: "Set a new size for a deployment, replica set, or replication controller",
  operands: "types-and-names",
  flags: {
    ...selectorFlags,
    ...fileFlags,
    ...outputFlags,
    ...dryRunFlags,
    all: { type: "boolean" },
    replicas: { type: "string" },
    "current-replicas": { type: "string", default: "-1" },
    "resource-version": { type: "string" },
    timeout: { type: "string", default: "0s" },
  },
  async run(context) {
    if (!context.isGiven("replicas")) throw failure(`required flag(s) "replicas" not set`);
    const replicas = Number(context.text("replicas"));
    if (!Number.isInteger(replicas) || replicas < 0)
      throw failure("The --replicas=COUNT flag is required, and COUNT must be greater than or equal to 0");
    const dryRun = dryRunOf(context);
    const printer = objectPrinter(context);
    const current = Number(context.text("current-replicas"));
    const { items, errors } = await fetchTargets(
      context,
      await changedTargets(context),
      selectingOf(context, false),
    );
    if (items.length === 0)
      throw new CommandFailure(
        `error: no objects passed to scale${errors.map((error) => ` ${messageOf(error)}`).join("")}`,
      );
    for (const item of items) {
      const { resource, object } = item;
      const { name, namespace } = object.metadata;
      const found = await context.server
        .get(resourcePath(resource, { namespace, name, subresource: "scale" }))
        .catch((error: unknown) => {
          throw isNotFound(error)
            ? new CommandFailure(
                "Error from server (NotFound): the server could not find the requested resource",
              )
            : error;
        });
      const size = numberAt(found, "spec", "replicas") ?? 0;
      if (current >= 0 && size !== current) throw failure(`Expected replicas to be ${current}, was ${size}`);
      const body = { spec: { replicas } };
      if (dryRun !== "client")
        await patchObject(context, item, {
          type: "merge",
          body,
          manager: "kubectl-scale",
          dryRun,
          subresource: "scale",
        });
      reportChange(context, object, { done: "scaled", dryRun, printer });
    }
  },
};
