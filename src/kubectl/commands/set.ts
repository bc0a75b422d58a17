import type { JsonObject } from "../../api/json.ts";
import { failure } from "../command-failure.ts";
import type { KubectlCommand } from "../kubectl-command.ts";
import { dryRunFlags, fileFlags, outputFlags, selectorFlags } from "../line/common-flags.ts";
import { dryRunOf } from "../line/dry-run.ts";
import { objectPrinter } from "../output/object-printer.ts";
import { reportChange } from "../output/report-change.ts";
import { forEachSelected, selectingOf } from "../selection/fetch-objects.ts";
import { type KubeObject, listAt, textAt } from "../selection/kube-object.ts";
import { changedTargets } from "../selection/manifest-targets.ts";
import { patchObject } from "../server/write-object.ts";

const setImage: KubectlCommand = {
  summary: "Update the image of a pod template",
  operands: "types-and-names",
  flags: {
    ...selectorFlags,
    ...fileFlags,
    ...outputFlags,
    ...dryRunFlags,
    all: { type: "boolean" },
    local: { type: "boolean" },
  },
  async run(context) {
    const index = context.operands.findIndex((word) => word.includes("="));
    const pairs = index === -1 ? [] : context.operands.slice(index);
    if (pairs.length === 0) throw failure("at least one image update is required");
    const dryRun = dryRunOf(context);
    const printer = objectPrinter(context);
    const targets = await changedTargets(context, context.operands.slice(0, index));
    await forEachSelected(context, { targets, selecting: selectingOf(context, false) }, async (item) => {
      const spec = changedImages(item.object, pairs);
      if (spec === undefined) return;
      const body = patchOf(item.object, spec);
      const object =
        dryRun === "client"
          ? item.object
          : await patchObject(context, item, { type: "strategic", body, manager: "kubectl-set", dryRun });
      reportChange(context, object, { done: "image updated", dryRun, printer });
    });
  },
};

/** Where the spec of the Pods is: in the template, or in that of the Jobs. */
function podSpecPath({ kind }: KubeObject): readonly string[] {
  if (kind === "Pod") return ["spec"];
  return kind === "CronJob"
    ? ["spec", "jobTemplate", "spec", "template", "spec"]
    : ["spec", "template", "spec"];
}

/** The containers with new images; nothing when they have them already. */
function changedImages(object: KubeObject, pairs: readonly string[]): JsonObject | undefined {
  const path = podSpecPath(object);
  const changed = new Map<string, JsonObject[]>();
  for (const pair of pairs) {
    const [name = "", ...image] = pair.split("=");
    const found = ["initContainers", "containers"].flatMap((field) =>
      listAt(object, ...path, field).map((container) => ({ field, container })),
    );
    const named = found.filter(({ container }) => name === "*" || textAt(container, "name") === name);
    if (named.length === 0) throw failure(`unable to find container named ${JSON.stringify(name)}`);
    for (const { field, container } of named)
      if (textAt(container, "image") !== image.join("="))
        changed.set(field, [
          ...(changed.get(field) ?? []),
          { name: textAt(container, "name"), image: image.join("=") },
        ]);
  }
  return changed.size === 0 ? undefined : Object.fromEntries(changed);
}

function patchOf(object: KubeObject, spec: JsonObject): JsonObject {
  return podSpecPath(object).reduceRight<JsonObject>((inner, key) => ({ [key]: inner }), spec);
}

/** `kubectl set`. */
export const set: KubectlCommand = {
  summary: "Set specific features on objects",
  commands: { image: setImage },
};
