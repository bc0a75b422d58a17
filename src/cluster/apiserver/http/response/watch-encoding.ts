import { utf8Bytes } from "../../../../api/bytes.ts";
import { apiVersionOf } from "../../../../api/resource.ts";
import { withoutManagedFields } from "../../storage/object-memory.ts";
import type { ServedResource } from "../../served-resource.ts";
import type { ServedObject } from "../../storage/served-object.ts";
import type { ServedWatchEvent } from "../../watch/served-watch-event.ts";
import type { ResponseFormat } from "./negotiate.ts";
import {
  partialObjectMetadata,
  partialObjectMetadataType,
  type TableExchange,
  tableOf,
  type TransformedFormat,
} from "./transform-object.ts";

/** The header with which a client in this process asks for watches without managed fields. */
export const managedFieldsHeader = "trimtab-managed-fields";

/** Encodes an event as one line, in chunks. */
export type WatchEncoder = (event: ServedWatchEvent) => readonly Uint8Array[];

/** What the encoding of a watch depends on. */
export interface WatchExchange extends TableExchange {
  readonly format: ResponseFormat;
  readonly request: { readonly headers: Readonly<Record<string, unknown>> };
}

/** Returns the encoder of a watch in the negotiated format. */
export function watchEncoderFor(exchange: WatchExchange, resource: ServedResource): WatchEncoder {
  const { format } = exchange;
  if (format.as === "table") return tableEncoder(exchange, format, resource);
  if (format.as === "metadata") return metadataEncoder(format);
  const head = { kind: resource.kind, apiVersion: apiVersionOf(resource) };
  const isTrimmed = exchange.request.headers[managedFieldsHeader] === "omit";
  // The object's bytes are the store's: one encoding serves every watch.
  const bytesOf = isTrimmed ? bytesWithoutManagedFields : (item: ServedObject) => item.bytes();
  return (event) =>
    isObjectEvent(event)
      ? [openings[event.type], bytesOf(event.item), endOfLine]
      : lineOf(event.type, bookmarkOrStatus(event, head));
}

type ObjectEvent = Extract<ServedWatchEvent, { readonly item: ServedObject }>;

function isObjectEvent(event: ServedWatchEvent): event is ObjectEvent {
  return "item" in event;
}

function bytesWithoutManagedFields({ object }: ServedObject): Uint8Array {
  return utf8Bytes(JSON.stringify(withoutManagedFields(object)));
}

const opening = (type: string) => utf8Bytes(`{"type":"${type}","object":`);
const openings = { ADDED: opening("ADDED"), MODIFIED: opening("MODIFIED"), DELETED: opening("DELETED") };
const endOfLine = utf8Bytes("}\n");

function lineOf(type: string, object: object): readonly Uint8Array[] {
  return [utf8Bytes(`${JSON.stringify({ type, object })}\n`)];
}

/** Returns the object of a BOOKMARK or ERROR event. */
function bookmarkOrStatus(event: Exclude<ServedWatchEvent, ObjectEvent>, head: object): object {
  if (event.type === "ERROR") return event.status;
  return {
    ...head,
    metadata: {
      resourceVersion: String(event.revision),
      creationTimestamp: null,
      ...(event.initialEventsEnd && { annotations: { "k8s.io/initial-events-end": "true" } }),
    },
  };
}

function metadataEncoder(format: TransformedFormat): WatchEncoder {
  const head = partialObjectMetadataType(format);
  return (event) =>
    lineOf(
      event.type,
      isObjectEvent(event) ? partialObjectMetadata(event.item.object, format) : bookmarkOrStatus(event, head),
    );
}

/** Encodes events as Tables, of which only the first describes its columns. */
function tableEncoder(
  exchange: TableExchange,
  format: TransformedFormat,
  resource: ServedResource,
): WatchEncoder {
  let withoutColumns = false;
  return (event) => {
    if (event.type === "ERROR") return lineOf(event.type, event.status);
    const object = tableOf(exchange, format, {
      resource,
      objects: isObjectEvent(event) ? [event.item.object] : [],
      listMeta: {
        resourceVersion: isObjectEvent(event)
          ? event.item.object.metadata.resourceVersion
          : String(event.revision),
      },
      withoutColumns,
    });
    withoutColumns = true;
    return lineOf(event.type, object);
  };
}
