import type { JsonObject } from "../../api/json.ts";
import { failure, usageFailure } from "../command-failure.ts";
import type { Context } from "../context.ts";
import type { KubectlCommand } from "../kubectl-command.ts";
import { dryRunFlags, outputFlags } from "../line/common-flags.ts";
import { dryRunOf } from "../line/dry-run.ts";
import { objectPrinter } from "../output/object-printer.ts";
import { reportChange } from "../output/report-change.ts";
import { forEachSelected, selectingOf, targetsOf } from "../selection/fetch-objects.ts";
import { findType } from "../selection/find-type.ts";
import { listAt, textAt } from "../selection/kube-object.ts";
import { patchObject } from "../server/write-object.ts";

/** `kubectl taint`. */
export const taint: KubectlCommand = {
  summary: "Update the taints on one or more nodes",
  operands: "types-and-names",
  flags: {
    ...outputFlags,
    ...dryRunFlags,
    selector: { type: "string", short: "l" },
    all: { type: "boolean" },
    overwrite: { type: "boolean" },
    validate: { type: "string" },
  },
  async run(context) {
    const { words, changes } = await readOperands(context);
    const dryRun = dryRunOf(context);
    const printer = objectPrinter(context);
    const selecting = selectingOf(context, false);
    const targets = await targetsOf(context, words, selecting);
    await forEachSelected(context, { targets, selecting }, async (item) => {
      const { taints, done } = changed(context, item.object, changes);
      const body = { metadata: { resourceVersion: item.object.metadata.resourceVersion }, spec: { taints } };
      const object =
        dryRun === "client"
          ? item.object
          : await patchObject(context, item, { type: "merge", body, manager: "kubectl-taint", dryRun });
      reportChange(context, object, { done, dryRun, printer });
    });
  },
};

interface Taint {
  readonly key: string;
  readonly value?: string;
  readonly effect: string;
}

interface Changes {
  readonly added: readonly Taint[];
  /** Without an effect: those of every effect. */
  readonly removed: readonly Taint[];
}

const isChange = (word: string) => /[=:]/.test(word) || word.endsWith("-");
const effects = new Set(["NoSchedule", "PreferNoSchedule", "NoExecute"]);

async function readOperands(context: Context) {
  const [type = "", ...rest] = context.operands;
  const at = rest.findIndex(isChange);
  const names = at === -1 ? rest : rest.slice(0, at);
  const specs = at === -1 ? [] : rest.slice(at);
  if (type === "" || (specs.length === 0 && rest.length === 0))
    throw failure("one or more resources must be specified as <resource> <name> or <resource>/<name>");
  const resource = findType(await context.server.resources(), type.split("/")[0] ?? "");
  if (specs.length === 0) throw failure("at least one taint update is required");
  if (resource.plural !== "nodes")
    throw failure(`invalid resource type ${type}, only node types are supported`);
  return { words: [type, ...names], changes: changesOf(context, specs) };
}

function changesOf(context: Context, specs: readonly string[]): Changes {
  const read = specs.map((spec) => readSpec(context, spec));
  const of = (isRemoved: boolean) =>
    read.filter((each) => each.isRemoved === isRemoved).map(({ taint }) => taint);
  return { added: of(false), removed: of(true) };
}

function readSpec(context: Context, spec: string): { readonly taint: Taint; readonly isRemoved: boolean } {
  const isRemoved = spec.endsWith("-");
  const [pair = "", effect = ""] = spec.replace(/-$/, "").split(":");
  const [key = "", value = ""] = pair.split("=");
  if (!effects.has(effect) && !(isRemoved && effect === ""))
    throw usageFailure(context.command, `invalid taint effect: ${effect}, unsupported taint effect`);
  return { taint: { key, effect, ...(value !== "" && { value }) }, isRemoved };
}

const isSame = (one: JsonObject | Taint, other: Taint) =>
  textAt(one as JsonObject, "key") === other.key &&
  (other.effect === "" || textAt(one as JsonObject, "effect") === other.effect);

function changed(context: Context, node: JsonObject, { added, removed }: Changes) {
  const before = listAt(node, "spec", "taints");
  const missing = removed.filter((each) => !before.some((taint) => isSame(taint, each)));
  if (missing.length > 0)
    throw failure(
      missing
        .map(
          ({ key, effect }) => `taint ${JSON.stringify(effect === "" ? key : `${key}:${effect}`)} not found`,
        )
        .join("; "),
    );
  const present = added.filter((each) => before.some((taint) => isSame(taint, each)));
  if (present.length > 0 && !context.isOn("overwrite"))
    throw failure(
      `node ${textAt(node, "metadata", "name")} already has ${present.map(({ key }) => key).join(",")} taint(s) with same effect(s) and --overwrite is false`,
    );
  const gone = [...removed, ...added];
  const kept = before.filter((taint) => !gone.some((each) => isSame(taint, each)));
  const done =
    present.length > 0 || (added.length > 0 && removed.length > 0)
      ? "modified"
      : added.length > 0
        ? "tainted"
        : "untainted";
  return { taints: [...added, ...kept], done };
}
