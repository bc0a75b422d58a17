import { isNotFound } from "../../machinery/client/api-error.ts";
import { CommandFailure, throwAll } from "../command-failure.ts";
import type { Context } from "../context.ts";
import type { KubectlCommand } from "../kubectl-command.ts";
import { allNamespacesFlag, fileFlags, outputFlags, selectorFlags } from "../line/common-flags.ts";
import { objectPrinter, type ObjectPrinter } from "../output/object-printer.ts";
import { acceptTable, type Table } from "../output/table.ts";
import { type TablePrinter, tablePrinter } from "../output/table-printer.ts";
import {
  fetchTargets,
  namespaceOf,
  selectingOf,
  selectionQuery,
  targetsOf,
} from "../selection/fetch-objects.ts";
import { readNamedManifests } from "../selection/read-manifests.ts";
import { sortedItems, sortedRows } from "../selection/sort-by.ts";
import type { Selecting, Target } from "../selection/targets.ts";
import { type ApiResource, resourcePath } from "../server/discovery.ts";
import { watchTargets } from "./get-watch.ts";

/** `kubectl get`. */
export const get: KubectlCommand = {
  summary: "Display one or many resources",
  operands: "types-and-names",
  flags: {
    ...selectorFlags,
    ...fileFlags,
    ...outputFlags,
    ...allNamespacesFlag,
    "no-headers": { type: "boolean" },
    "show-labels": { type: "boolean", help: "Show all labels as the last column" },
    "show-kind": { type: "boolean" },
    "label-columns": { type: "list", short: "L" },
    "sort-by": { type: "string" },
    "ignore-not-found": { type: "boolean" },
    watch: { type: "boolean", short: "w", help: "Watch for changes" },
    "watch-only": { type: "boolean" },
    "output-watch-events": { type: "boolean" },
    "chunk-size": { type: "string", default: "500" },
    subresource: { type: "string" },
    raw: { type: "string" },
    "server-print": { type: "boolean", default: true },
  },
  async run(context) {
    const raw = context.text("raw");
    if (raw !== "") {
      context.io.out(await context.server.text(raw));
      return;
    }
    const printer = objectPrinter(context, { hasColumns: true });
    const selecting = selectingOf(context, true);
    const targets = await targetsIn(context, selecting);
    if (context.isOn("watch") || context.isOn("watch-only")) return watchTargets(context, targets, selecting);
    await (printer === undefined
      ? printTables(context, targets, selecting)
      : printObjects(context, targets, printer));
  },
};

async function targetsIn(context: Context, selecting: Selecting): Promise<readonly Target[]> {
  if (context.list("filename").length > 0)
    return (await readNamedManifests(context)).map(({ resource, object: { metadata } }) => ({
      resource,
      ...metadata,
    }));
  if (context.operands.length > 0) return targetsOf(context, context.operands, selecting);
  context.io.err(
    'You must specify the type of resource to get. Use "kubectl api-resources" for a complete list of supported resources.\n\n',
  );
  throw new CommandFailure(
    "error: Required resource not specified.\nUse \"kubectl explain <resource>\" for a detailed description of that resource (e.g. kubectl explain pods).\nSee 'kubectl get -h' for help and examples",
  );
}

/** Prints objects as one; several of them, or those of a collection, as a list. */
async function printObjects(
  context: Context,
  targets: readonly Target[],
  printer: ObjectPrinter,
): Promise<void> {
  const selecting = selectingOf(context, true);
  const { items, errors } = await fetchTargets(context, targets, {
    ...selecting,
    subresource: context.text("subresource"),
  });
  const isIgnored = context.isOn("ignore-not-found");
  const failed = errors.filter((error) => !isIgnored || !isNotFound(error));
  const isSingle = targets.length === 1 && targets[0]?.name !== undefined;
  const [first] = items;
  if (isSingle) {
    if (first !== undefined) context.io.out(printer(first.object));
  } else if (items.length > 0 || targets.some(({ name }) => name === undefined)) {
    const objects = sortedItems(
      items.map(({ object }) => object),
      context.text("sort-by"),
    );
    context.io.out(
      printer({ apiVersion: "v1", items: objects, kind: "List", metadata: { resourceVersion: "" } }),
    );
  }
  throwAll(failed);
}

/** Prints the tables of the server, one below the other. */
async function printTables(
  context: Context,
  targets: readonly Target[],
  selecting: Selecting,
): Promise<void> {
  const errors: unknown[] = [];
  const tables: { readonly resource: ApiResource; readonly table: Table }[] = [];
  for (const target of targets) {
    try {
      tables.push({ resource: target.resource, table: await fetchTable(context, target, selecting) });
    } catch (error) {
      errors.push(error);
    }
  }
  const groups = grouped(context, tables);
  const printed = groups.filter((text) => text !== "").join(context.isOn("no-headers") ? "" : "\n");
  context.io.out(printed);
  const isIgnored = context.isOn("ignore-not-found");
  const failed = errors.filter((error) => !isIgnored || !isNotFound(error));
  if (printed === "" && failed.length === 0 && !isIgnored)
    context.io.err(
      nothingFound(
        context,
        selecting.allNamespaces,
        tables.map(({ resource }) => resource),
      ),
    );
  throwAll(failed);
}

function nothingFound(context: Context, allNamespaces: boolean, resources: readonly ApiResource[]): string {
  const inNamespace = !allNamespaces && resources.every(({ namespaced }) => namespaced);
  return inNamespace ? `No resources found in ${context.namespace} namespace.\n` : "No resources found\n";
}

/** The text of each run of tables of one resource. */
function grouped(
  context: Context,
  tables: readonly { readonly resource: ApiResource; readonly table: Table }[],
): readonly string[] {
  const showKind = context.isOn("show-kind") || new Set(tables.map(({ resource }) => resource)).size > 1;
  const texts: string[] = [];
  let last: { readonly resource: ApiResource; table: Table } | undefined;
  const flush = () => {
    if (last === undefined) return;
    const { resource, table } = last;
    const printer: TablePrinter = tablePrinter(context, {
      resource,
      showKind,
      showNamespace: context.isOn("all-namespaces"),
    });
    texts.push(printer.print(table, sortedRows(table.rows ?? [], context.text("sort-by"))));
  };
  for (const { resource, table } of tables) {
    if (last?.resource === resource) {
      last.table = { ...last.table, rows: [...(last.table.rows ?? []), ...(table.rows ?? [])] };
      continue;
    }
    flush();
    last = { resource, table };
  }
  flush();
  return texts;
}

async function fetchTable(context: Context, target: Target, selecting: Selecting): Promise<Table> {
  const namespace = namespaceOf(context, target, selecting.allNamespaces);
  const { resource, name } = target;
  const includeObject = context.text("sort-by") === "" ? {} : { includeObject: "Object" };
  if (name !== undefined) {
    const path = resourcePath(resource, { namespace, name, subresource: context.text("subresource") });
    return (await context.server.get(path, includeObject, acceptTable)) as Table;
  }
  const query = { ...selectionQuery(selecting), ...includeObject, limit: 500 };
  return allPages(context, resourcePath(resource, { namespace }), query);
}

async function allPages(
  context: Context,
  path: string,
  query: Readonly<Record<string, string | number>>,
): Promise<Table> {
  const first = (await context.server.get(path, query, acceptTable)) as Table;
  const { continue: more } = first["metadata"] as { readonly continue?: string };
  if (more === undefined || more === "") return first;
  const rest = await allPages(context, path, { ...query, continue: more });
  return { ...first, rows: [...(first.rows ?? []), ...(rest.rows ?? [])] };
}
