import { apiVersionOf } from "../../../api/resource.ts";
import type { Item } from "../item.ts";
import type { ServedResource } from "../served-resource.ts";
import type { WatchItem } from "../watch/watch-item.ts";
import type { Negotiated } from "./edge.ts";
import { metadataHead, metadataOnly, type OtherForm, tableOf } from "./present.ts";

/** Makes the lines of one watch, each as the pieces it consists of. */
export type Framing = (item: WatchItem) => readonly Uint8Array[];

/** The lines of a watch in the form its client asked for. */
export function framingFor(exchange: Negotiated, resource: ServedResource): Framing {
  const { form } = exchange;
  if (form.as === "table") return tableFraming(exchange, form, resource);
  if (form.as === "metadata") return metadataFraming(form);
  const head = { kind: resource.kind, apiVersion: apiVersionOf(resource) };
  // The bytes of the object are the store's own: nothing is encoded again for each watcher.
  return (item) =>
    isChange(item)
      ? [openings[item.type], item.item.bytes(), endOfLine]
      : lineOf(item.type, aside(item, head));
}

type Change = Extract<WatchItem, { readonly item: Item }>;

function isChange(item: WatchItem): item is Change {
  return "item" in item;
}

const opening = (type: string) => Buffer.from(`{"type":"${type}","object":`);
const openings = { ADDED: opening("ADDED"), MODIFIED: opening("MODIFIED"), DELETED: opening("DELETED") };
const endOfLine = Buffer.from("}\n");

function lineOf(type: string, object: object): readonly Uint8Array[] {
  return [Buffer.from(`${JSON.stringify({ type, object })}\n`)];
}

/** The object of an event that is about no object, of the kind that the client can read. */
function aside(item: Exclude<WatchItem, Change>, head: object): object {
  if (item.type === "ERROR") return item.status;
  return {
    ...head,
    metadata: {
      resourceVersion: String(item.revision),
      creationTimestamp: null,
      ...(item.initialEventsEnd && { annotations: { "k8s.io/initial-events-end": "true" } }),
    },
  };
}

function metadataFraming(form: OtherForm): Framing {
  const head = metadataHead(form);
  return (item) =>
    lineOf(item.type, isChange(item) ? metadataOnly(item.item.object, form) : aside(item, head));
}

/** Only the first Table of a watch describes its columns. */
function tableFraming(exchange: Negotiated, form: OtherForm, resource: ServedResource): Framing {
  let withoutColumns = false;
  return (item) => {
    if (item.type === "ERROR") return lineOf(item.type, item.status);
    const object = tableOf(exchange, form, {
      resource,
      objects: isChange(item) ? [item.item.object] : [],
      listMeta: {
        resourceVersion: isChange(item) ? item.item.object.metadata.resourceVersion : String(item.revision),
      },
      withoutColumns,
    });
    withoutColumns = true;
    return lineOf(item.type, object);
  };
}
