import { stringify } from "yaml";
import { apiVersionOf } from "../../../../api/resource.ts";
import type { ServedObject } from "../../storage/served-object.ts";
import type { NegotiatedExchange } from "../http-dependencies.ts";
import type { ListResponse } from "./send-list.ts";
import { partialObjectMetadata, tableOf, type TransformedFormat } from "./transform-object.ts";

/** How a list is written in one of its forms: each item by itself, so that nobody has to wait for all of them. */
export interface ListEncoding {
  readonly type: string;
  readonly head: Uint8Array;
  readonly encodeItem: (item: ServedObject) => Uint8Array;
  readonly between: Uint8Array;
  readonly end: Uint8Array;
  /** How many items may be written before others have their turn. */
  readonly batchSize: number;
}

/** The layout of a list in the format its client asked for. */
export function listEncodingOf(exchange: NegotiatedExchange, list: ListResponse): ListEncoding {
  const { format } = exchange;
  switch (format.as) {
    case "json":
      return {
        ...inJson({ ...headOf(list), items: [] }),
        encodeItem: (item) => item.bytes(),
        batchSize: 250,
      };
    case "metadata":
      return metadataLayout(format, list);
    case "table":
      return tableLayout(exchange, format, list);
    case "yaml":
      return yamlLayout(list);
  }
}

function headOf({ resource, metadata }: ListResponse) {
  return { kind: `${resource.kind}List`, apiVersion: apiVersionOf(resource), metadata };
}

/** Around the items of a value whose last member is the empty list of them. */
function inJson(empty: object): Pick<ListEncoding, "type" | "head" | "between" | "end"> {
  const text = JSON.stringify(empty);
  return {
    type: "application/json",
    head: Buffer.from(text.slice(0, -"]}".length)),
    between: Buffer.from(","),
    end: Buffer.from("]}"),
  };
}

function metadataLayout(format: TransformedFormat, { metadata }: ListResponse): ListEncoding {
  const apiVersion = `meta.k8s.io/${format.version}`;
  return {
    ...inJson({ kind: "PartialObjectMetadataList", apiVersion, metadata, items: [] }),
    encodeItem: ({ object }) => Buffer.from(JSON.stringify(partialObjectMetadata(object, format))),
    batchSize: 250,
  };
}

function tableLayout(
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

function yamlLayout(list: ListResponse): ListEncoding {
  const items = list.items.length === 0 ? "items: []\n" : "items:\n";
  return {
    type: "application/yaml",
    head: Buffer.from(stringify(headOf(list)) + items),
    // A list as deep as the key it belongs to is YAML, and what Kubernetes writes too.
    encodeItem: ({ object }) => Buffer.from(stringify([object])),
    between: nothing,
    end: nothing,
    // Writing YAML takes as long as a hundred times as much JSON.
    batchSize: 20,
  };
}
