import { apiVersionOf } from "../../../api/resource.ts";
import type { Item } from "../item.ts";
import type { ServedResource } from "../served-resource.ts";
import type { WatchItem } from "../watch/watch-item.ts";
import type { Negotiated } from "./edge.ts";
import { metadataOnly, type OtherForm, tableOf } from "./present.ts";

/** Makes the lines of one watch, each as the pieces it consists of. */
export type Framing = (item: WatchItem) => readonly Uint8Array[];

/** The lines of a watch in the form its client asked for. */
export function framingFor(exchange: Negotiated, resource: ServedResource): Framing {
  const { form } = exchange;
  if (form.as === "table") return tableFraming(exchange, form, resource);
  if (form.as === "metadata")
    return (item) => lineOf(item, resource, ({ object }) => metadataOnly(object, form));
  // The bytes of the object are the store's own: nothing is encoded again for each watcher.
  return (item) =>
    isChange(item) ? [openings[item.type], item.item.bytes(), endOfLine] : lineOf(item, resource);
}

type Change = Extract<WatchItem, { readonly item: Item }>;

function isChange(item: WatchItem): item is Change {
  return "item" in item;
}

const opening = (type: string) => Buffer.from(`{"type":"${type}","object":`);
const openings = { ADDED: opening("ADDED"), MODIFIED: opening("MODIFIED"), DELETED: opening("DELETED") };
const endOfLine = Buffer.from("}\n");

function lineOf(
  item: WatchItem,
  resource: ServedResource,
  show: (item: Item) => object = ({ object }) => object,
): readonly Uint8Array[] {
  const object = isChange(item) ? show(item.item) : aside(item, resource);
  return [Buffer.from(`${JSON.stringify({ type: item.type, object })}\n`)];
}

/** The object of an event that is about no object. */
function aside(item: Exclude<WatchItem, Change>, resource: ServedResource): object {
  if (item.type === "ERROR") return item.status;
  return {
    kind: resource.kind,
    apiVersion: apiVersionOf(resource),
    metadata: {
      resourceVersion: String(item.revision),
      creationTimestamp: null,
      ...(item.initialEventsEnd && { annotations: { "k8s.io/initial-events-end": "true" } }),
    },
  };
}

/** Only the first Table of a watch describes its columns. */
function tableFraming(exchange: Negotiated, form: OtherForm, resource: ServedResource): Framing {
  let withoutColumns = false;
  return (item) => {
    if (item.type === "ERROR") return lineOf(item, resource);
    const object = tableOf(exchange, form, {
      resource,
      objects: isChange(item) ? [item.item.object] : [],
      listMeta: {
        resourceVersion: isChange(item) ? item.item.object.metadata.resourceVersion : String(item.revision),
      },
      withoutColumns,
    });
    withoutColumns = true;
    return [Buffer.from(`${JSON.stringify({ type: item.type, object })}\n`)];
  };
}
