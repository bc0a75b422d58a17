import type { JsonObject } from "../../api/json.ts";
import { failure, notSupportedHere } from "../command-failure.ts";
import type { Context } from "../context.ts";
import { objectPrinter } from "../output/object-printer.ts";
import { acceptTable, type Table } from "../output/table.ts";
import { tablePrinter } from "../output/table-printer.ts";
import { namespaceOf, selectionQuery } from "../selection/fetch-objects.ts";
import { textAt } from "../selection/kube-object.ts";
import type { Selecting, Target } from "../selection/targets.ts";
import { resourcePath } from "../server/discovery.ts";
import type { Query } from "../server/server.ts";
import { watchEvents, type WatchedEvent } from "../server/watch-events.ts";

/** Prints what there is, then every change until the signal of the command ends it. */
export async function watchTargets(
  context: Context,
  targets: readonly Target[],
  selecting: Selecting,
): Promise<void> {
  const [target] = targets;
  if (target === undefined || targets.length > 1)
    throw failure("you may only specify a single resource type");
  if (context.isOn("output-watch-events")) throw notSupportedHere("--output-watch-events");
  const { print, accept } = printing(context, target);
  const namespace = namespaceOf(context, target, selecting.allNamespaces);
  const path = resourcePath(target.resource, { namespace });
  const query = watchQuery(target, selecting);
  const listed = await (target.name === undefined
    ? context.server.get(path, query, accept)
    : context.server.get(resourcePath(target.resource, { namespace, name: target.name }), {}, accept));
  if (!context.isOn("watch-only")) print(listed);
  const from = { ...query, resourceVersion: textAt(listed, "metadata", "resourceVersion") };
  for await (const event of watchEvents(context, { path, query: from, accept })) printEvent(event, print);
}

function watchQuery({ name }: Target, selecting: Selecting): Query {
  const fields = [selecting.fieldSelector, name === undefined ? "" : `metadata.name=${name}`];
  return selectionQuery({ ...selecting, fieldSelector: fields.filter((field) => field !== "").join(",") });
}

function printEvent({ type, object }: WatchedEvent, print: (object: JsonObject) => void): void {
  if (type !== "BOOKMARK") print(object);
}

/** Prints tables, or what `-o` asks for of each object. */
function printing(context: Context, { resource }: Target) {
  const printer = objectPrinter(context, { hasColumns: true });
  const { io } = context;
  if (printer === undefined) {
    const table = tablePrinter(context, {
      resource,
      showKind: context.isOn("show-kind"),
      showNamespace: context.isOn("all-namespaces"),
    });
    return { accept: acceptTable, print: (object: JsonObject) => io.out(table.print(object as Table)) };
  }
  const print = (object: JsonObject) => {
    const items = object["items"];
    const objects = Array.isArray(items) ? (items as readonly JsonObject[]) : [object];
    const type = {
      apiVersion: resource.group === "" ? resource.version : `${resource.group}/${resource.version}`,
      kind: resource.kind,
    };
    for (const each of objects) io.out(printer({ ...type, ...each }));
  };
  return { accept: undefined, print };
}
