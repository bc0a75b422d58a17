import { labelValueProblems, qualifiedNameProblems } from "../../api/labels/label-syntax.ts";
import { failure } from "../command-failure.ts";
import { type Context, say } from "../context.ts";
import type { KubectlCommand } from "../kubectl-command.ts";
import {
  allNamespacesFlag,
  dryRunFlags,
  fileFlags,
  outputFlags,
  selectorFlags,
} from "../line/common-flags.ts";
import { dryRunOf } from "../line/dry-run.ts";
import { objectPrinter } from "../output/object-printer.ts";
import { reportChange } from "../output/report-change.ts";
import { forEachSelected, type Item, selectingOf } from "../selection/fetch-objects.ts";
import type { KubeObject } from "../selection/kube-object.ts";
import { changedTargets } from "../selection/manifest-targets.ts";
import { patchObject } from "../server/write-object.ts";

const flags = {
  ...selectorFlags,
  ...fileFlags,
  ...allNamespacesFlag,
  ...outputFlags,
  ...dryRunFlags,
  all: { type: "boolean" },
  overwrite: { type: "boolean" },
  list: { type: "boolean" },
  "resource-version": { type: "string" },
  local: { type: "boolean" },
} as const;

/** Which map of the metadata a command changes, and how it says so. */
interface MetadataKind {
  readonly field: "labels" | "annotations";
  readonly word: "label" | "annotation";
  readonly manager: string;
  /** What is said of an object that has changed. */
  readonly done: (changes: Changes, before: Texts) => string;
  readonly taken: (keys: readonly string[], before: Texts) => string;
  readonly check: (changes: Changes) => void;
}

type Texts = Readonly<Record<string, string>>;
/** New values by key; `null` removes a key. */
type Changes = Readonly<Record<string, string | null>>;

const labels: MetadataKind = {
  field: "labels",
  word: "label",
  manager: "kubectl-label",
  done(changes, before) {
    const changed = Object.entries(changes).filter(([key, value]) => (before[key] ?? null) !== value);
    if (changed.length === 0) return "not labeled";
    return changed.every(([, value]) => value === null) ? "unlabeled" : "labeled";
  },
  taken: ([key = ""], before) =>
    `'${key}' already has a value (${before[key] ?? ""}), and --overwrite is false`,
  check(changes) {
    for (const [key, value] of Object.entries(changes)) {
      const [invalidKey] = qualifiedNameProblems(key);
      if (invalidKey !== undefined) throw failure(`invalid label key ${JSON.stringify(key)}: ${invalidKey}`);
      const [invalid] = value === null ? [] : labelValueProblems(value);
      if (invalid !== undefined)
        throw failure(`invalid label value: ${JSON.stringify(`${key}=${value ?? ""}`)}: ${invalid}`);
    }
  },
};

const annotations: MetadataKind = {
  field: "annotations",
  word: "annotation",
  manager: "kubectl-annotate",
  done: () => "annotated",
  taken: (keys, before) =>
    `--overwrite is false but found the following declared annotation(s): ${keys.map((key) => `'${key}' already has a value (${before[key] ?? ""})`).join("; ")}`,
  check: () => undefined,
};

function metadataCommand(kind: MetadataKind, summary: string): KubectlCommand {
  return { summary, operands: "types-and-names", flags, run: (context) => change(context, kind) };
}

export const label = metadataCommand(labels, "Update the labels on a resource");
export const annotate = metadataCommand(annotations, "Update the annotations on a resource");

const isChange = (word: string) => /^[^=]+=/.test(word) || /^[^=]+-$/.test(word);

/** Operands until the first change are objects; a word before it that ends in a dash is one. */
function split(operands: readonly string[]) {
  const index = operands.findIndex((word, at) => at > 0 && isChange(word));
  const end = index === -1 ? operands.length : index;
  return { words: operands.slice(0, end), pairs: operands.slice(end) };
}

function changesOf(kind: MetadataKind, pairs: readonly string[]): Changes {
  const entries = pairs.map((pair): [string, string | null] => {
    const [key = "", ...value] = pair.split("=");
    if (value.length > 0) return [key, value.join("=")];
    if (pair.endsWith("-")) return [pair.slice(0, -1), null];
    throw failure(`unexpected ${kind.word} spec: ${pair}`);
  });
  return Object.fromEntries(entries);
}

async function change(context: Context, kind: MetadataKind): Promise<void> {
  const { words, pairs } = split(context.operands.filter((word) => !word.startsWith("=")));
  const changes = changesOf(kind, pairs);
  if (pairs.length === 0 && !context.isOn("list"))
    throw failure(`at least one ${kind.word} update is required`);
  kind.check(changes);
  const dryRun = dryRunOf(context);
  const printer = objectPrinter(context);
  const selecting = selectingOf(context, false);
  const targets = await changedTargets(context, words);
  await forEachSelected(context, { targets, selecting }, async (item) => {
    if (context.isOn("list")) {
      listPairs(context, item, kind);
      return;
    }
    const before = item.object.metadata[kind.field] ?? {};
    refuseOverwriting(context, { kind, changes, before });
    const missing =
      kind.field === "labels"
        ? Object.keys(changes).filter((key) => changes[key] === null && !(key in before))
        : [];
    for (const key of missing) say(context, `label ${JSON.stringify(key)} not found.`);
    const body = { metadata: { [kind.field]: changes } };
    const object =
      dryRun === "client"
        ? merged(item.object, kind, changes)
        : await patchObject(context, item, { type: "merge", body, manager: kind.manager, dryRun });
    reportChange(context, object, { done: kind.done(changes, before), dryRun, printer });
  });
}

function refuseOverwriting(
  context: Context,
  {
    kind,
    changes,
    before,
  }: { readonly kind: MetadataKind; readonly changes: Changes; readonly before: Texts },
): void {
  if (context.isOn("overwrite")) return;
  const taken = Object.entries(changes)
    .filter(([key, value]) => value !== null && before[key] !== undefined && before[key] !== value)
    .map(([key]) => key);
  if (taken.length > 0) throw failure(kind.taken(taken, before));
}

function listPairs(context: Context, { object }: Item, { field }: MetadataKind): void {
  const pairs = Object.entries(object.metadata[field] ?? {}).toSorted(([one], [other]) =>
    one < other ? -1 : 1,
  );
  for (const [key, value] of pairs) say(context, `${key}=${value}`);
}

function merged(object: KubeObject, { field }: MetadataKind, changes: Changes): KubeObject {
  const all = { ...object.metadata[field], ...changes };
  const kept = Object.entries(all).filter(([, value]) => value !== null);
  return {
    ...object,
    metadata: { ...object.metadata, [field]: Object.fromEntries(kept) },
  };
}
