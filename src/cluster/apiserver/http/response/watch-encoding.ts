import { apiVersionOf } from "../../../../api/resource.ts";
import type { ServedResource } from "../../served-resource.ts";
import type { ServedObject } from "../../storage/served-object.ts";
import type { ServedWatchEvent } from "../../watch/served-watch-event.ts";
import type { NegotiatedExchange } from "../http-dependencies.ts";
import {
  partialObjectMetadata,
  partialObjectMetadataType,
  tableOf,
  type TransformedFormat,
} from "./transform-object.ts";

/** Makes the lines of one watch, each as the pieces it consists of. */
export type WatchEncoder = (item: ServedWatchEvent) => readonly Uint8Array[];

/** The lines of a watch in the format its client asked for. */
export function watchEncoderFor(exchange: NegotiatedExchange, resource: ServedResource): WatchEncoder {
  const { format } = exchange;
  if (format.as === "table") return tableFraming(exchange, format, resource);
  if (format.as === "metadata") return metadataFraming(format);
  const head = { kind: resource.kind, apiVersion: apiVersionOf(resource) };
  // The bytes of the object are the store's own: nothing is encoded again for each watcher.
  return (item) =>
    isChange(item)
      ? [openings[item.type], item.item.bytes(), endOfLine]
      : lineOf(item.type, aside(item, head));
}

type Change = Extract<ServedWatchEvent, { readonly item: ServedObject }>;

function isChange(item: ServedWatchEvent): item is Change {
  return "item" in item;
}

const opening = (type: string) => Buffer.from(`{"type":"${type}","object":`);
const openings = { ADDED: opening("ADDED"), MODIFIED: opening("MODIFIED"), DELETED: opening("DELETED") };
const endOfLine = Buffer.from("}\n");

function lineOf(type: string, object: object): readonly Uint8Array[] {
  return [Buffer.from(`${JSON.stringify({ type, object })}\n`)];
}

/** The object of an event that is about no object, of the kind that the client can read. */
function aside(item: Exclude<ServedWatchEvent, Change>, head: object): object {
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

function metadataFraming(format: TransformedFormat): WatchEncoder {
  const head = partialObjectMetadataType(format);
  return (item) =>
    lineOf(item.type, isChange(item) ? partialObjectMetadata(item.item.object, format) : aside(item, head));
}

/** Only the first Table of a watch describes its columns. */
function tableFraming(
  exchange: NegotiatedExchange,
  format: TransformedFormat,
  resource: ServedResource,
): WatchEncoder {
  let withoutColumns = false;
  return (item) => {
    if (item.type === "ERROR") return lineOf(item.type, item.status);
    const object = tableOf(exchange, format, {
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
