import { stringify } from "yaml";
import { apiVersionOf } from "../../../api/resource.ts";
import type { Item } from "../item.ts";
import type { Negotiated } from "./edge.ts";
import { metadataOnly, type OtherForm, tableOf } from "./present.ts";
import type { SentList } from "./send-list.ts";

/** How a list is written in one of its forms: each item by itself, so that nobody has to wait for all of them. */
export interface ListLayout {
  readonly type: string;
  readonly head: Uint8Array;
  readonly bytesOf: (item: Item) => Uint8Array;
  readonly between: Uint8Array;
  readonly end: Uint8Array;
  /** How many items may be written before others have their turn. */
  readonly atOnce: number;
}

/** The layout of a list in the form its client asked for. */
export function layoutOf(exchange: Negotiated, list: SentList): ListLayout {
  const { form } = exchange;
  switch (form.as) {
    case "json":
      return { ...inJson({ ...headOf(list), items: [] }), bytesOf: (item) => item.bytes(), atOnce: 250 };
    case "metadata":
      return metadataLayout(form, list);
    case "table":
      return tableLayout(exchange, form, list);
    case "yaml":
      return yamlLayout(list);
  }
}

function headOf({ resource, metadata }: SentList) {
  return { kind: `${resource.kind}List`, apiVersion: apiVersionOf(resource), metadata };
}

/** Around the items of a value whose last member is the empty list of them. */
function inJson(empty: object): Pick<ListLayout, "type" | "head" | "between" | "end"> {
  const text = JSON.stringify(empty);
  return {
    type: "application/json",
    head: Buffer.from(text.slice(0, -"]}".length)),
    between: Buffer.from(","),
    end: Buffer.from("]}"),
  };
}

function metadataLayout(form: OtherForm, { metadata }: SentList): ListLayout {
  const apiVersion = `meta.k8s.io/${form.version}`;
  return {
    ...inJson({ kind: "PartialObjectMetadataList", apiVersion, metadata, items: [] }),
    bytesOf: ({ object }) => Buffer.from(JSON.stringify(metadataOnly(object, form))),
    atOnce: 250,
  };
}

function tableLayout(exchange: Negotiated, form: OtherForm, { resource, metadata }: SentList): ListLayout {
  return {
    ...inJson(tableOf(exchange, form, { resource, objects: [], listMeta: metadata })),
    bytesOf({ object }) {
      const [row] = tableOf(exchange, form, { resource, objects: [object], listMeta: {} }).rows;
      return Buffer.from(JSON.stringify(row));
    },
    atOnce: 250,
  };
}

const nothing = Buffer.alloc(0);

function yamlLayout(list: SentList): ListLayout {
  const items = list.items.length === 0 ? "items: []\n" : "items:\n";
  return {
    type: "application/yaml",
    head: Buffer.from(stringify(headOf(list)) + items),
    // A list as deep as the key it belongs to is YAML, and what Kubernetes writes too.
    bytesOf: ({ object }) => Buffer.from(stringify([object])),
    between: nothing,
    end: nothing,
    // Writing YAML takes as long as a hundred times as much JSON.
    atOnce: 20,
  };
}
