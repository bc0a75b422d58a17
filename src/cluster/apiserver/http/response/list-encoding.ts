import { apiVersionOf } from "../../../../api/resource.ts";
import type { ServedObject } from "../../storage/served-object.ts";
import type { NegotiatedExchange } from "../http-dependencies.ts";
import type { ListResponse } from "./send-list.ts";
import { partialObjectMetadata, tableOf, type TransformedFormat } from "./transform-object.ts";
import { yamlText } from "./yaml-text.ts";

/** Encodes a list in one format item by item, so that a long list need not be encoded at once. */
export interface ListEncoding {
  readonly type: string;
  readonly head: Uint8Array;
  readonly encodeItem: (item: ServedObject) => Uint8Array;
  readonly separator: Uint8Array;
  readonly end: Uint8Array;
  /** How many items are encoded before the event loop serves other requests. */
  readonly batchSize: number;
}

/** Returns the encoding of a list in the negotiated format. */
export function listEncodingOf(exchange: NegotiatedExchange, list: ListResponse): ListEncoding {
  const { format } = exchange;
  switch (format.as) {
    case "json":
      return jsonEncoding(list);
    case "metadata":
      return metadataEncoding(format, list);
    case "table":
      return tableEncoding(exchange, format, list);
    case "yaml":
      return yamlEncoding(list);
  }
}

/**
 * Encodes items without apiVersion and kind, as Kubernetes does: those of the list imply them. Items of custom kinds have
 * them.
 */
function jsonEncoding(list: ListResponse): ListEncoding {
  const { head, separator, ...rest } = inJson({ ...headOf(list), items: [] });
  const { apiVersion, kind } = list.items[0]?.object ?? {};
  const type = Buffer.from(`${JSON.stringify({ apiVersion, kind }).slice(0, -"}".length)},`);
  const open = Buffer.from(list.items.length === 0 ? "" : "{");
  return {
    ...rest,
    // The brace of each item belongs to the bytes before it, so that the rest of its stored bytes is sent unchanged.
    head: Buffer.concat([head, open]),
    separator: Buffer.concat([separator, open]),
    encodeItem(item) {
      const bytes = item.bytes();
      if (list.resource.isCustom === true) return bytes.subarray("{".length);
      if (type.equals(bytes.subarray(0, type.length))) return bytes.subarray(type.length);
      const { apiVersion: _apiVersion, kind: _kind, ...untyped } = item.object;
      return Buffer.from(JSON.stringify(untyped)).subarray(1);
    },
    batchSize: 250,
  };
}

function headOf({ resource, metadata }: ListResponse) {
  // upstream: the metadata of lists of custom kinds has no Go type that would leave an empty token out.
  const shown = resource.isCustom === true ? { continue: "", ...metadata } : metadata;
  return {
    kind: resource.listKind ?? `${resource.kind}List`,
    apiVersion: apiVersionOf(resource),
    metadata: shown,
  };
}

/** Returns what surrounds the items in the JSON of a value whose last member is their empty list. */
function inJson(empty: object): Pick<ListEncoding, "type" | "head" | "separator" | "end"> {
  const text = JSON.stringify(empty);
  return {
    type: "application/json",
    head: Buffer.from(text.slice(0, -"]}".length)),
    separator: Buffer.from(","),
    end: Buffer.from("]}"),
  };
}

function metadataEncoding(format: TransformedFormat, { metadata }: ListResponse): ListEncoding {
  const apiVersion = `meta.k8s.io/${format.version}`;
  return {
    ...inJson({ kind: "PartialObjectMetadataList", apiVersion, metadata, items: [] }),
    encodeItem: ({ object }) => Buffer.from(JSON.stringify(partialObjectMetadata(object, format))),
    batchSize: 250,
  };
}

function tableEncoding(
  exchange: NegotiatedExchange,
  format: TransformedFormat,
  { resource, metadata }: ListResponse,
): ListEncoding {
  return {
    ...inJson(tableOf(exchange, format, { resource, objects: [], listMeta: metadata })),
    encodeItem({ object }) {
      const [row] = tableOf(exchange, format, { resource, objects: [object], listMeta: {} }).rows;
      return Buffer.from(JSON.stringify(row));
    },
    batchSize: 250,
  };
}

const nothing = Buffer.alloc(0);

function yamlEncoding(list: ListResponse): ListEncoding {
  const items = list.items.length === 0 ? "items: []\n" : "items:\n";
  return {
    type: "application/yaml",
    head: Buffer.from(yamlText(headOf(list)) + items),
    // YAML allows a list to be indented like its key, and Kubernetes writes it so.
    encodeItem({ object }) {
      const { apiVersion: _apiVersion, kind: _kind, ...untyped } = object;
      return Buffer.from(yamlText([list.resource.isCustom === true ? object : untyped]));
    },
    separator: nothing,
    end: nothing,
    // Encoding YAML takes about a hundred times as long as encoding JSON.
    batchSize: 20,
  };
}
