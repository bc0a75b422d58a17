import type { ListMeta } from "../../../api/generated/meta-v1.ts";
import { apiVersionOf } from "../../../api/resource.ts";
import type { Item } from "../item.ts";
import type { ServedResource } from "../served-resource.ts";
import type { Negotiated } from "./edge.ts";
import { Outlet } from "./outlet.ts";
import { metadataOnly, tableOf } from "./present.ts";
import { sendBytes, sendValue, startAnswer } from "./send.ts";

/** So many items are sent in one piece. */
const few = 50;

/** A list on its way out. */
export interface SentList {
  readonly resource: ServedResource;
  readonly items: readonly Item[];
  readonly metadata: ListMeta;
}

/** Sends a list: item by item as it lies in the store, stepping aside between pieces of a long one. */
export async function sendList(exchange: Negotiated, list: SentList): Promise<void> {
  const { form, response } = exchange;
  const { resource, items, metadata } = list;
  const objects = () => items.map(({ object }) => object);
  switch (form.as) {
    case "table":
      sendValue(response, tableOf(exchange, form, { resource, objects: objects(), listMeta: metadata }));
      return;
    case "metadata":
      sendValue(response, {
        kind: "PartialObjectMetadataList",
        apiVersion: `meta.k8s.io/${form.version}`,
        metadata,
        items: objects().map((object) => metadataOnly(object, form)),
      });
      return;
    case "yaml":
      sendValue(response, { ...headOf(list), items: objects() }, { as: form.as });
      return;
    case "json":
      await sendPieces(exchange, list);
  }
}

function headOf({ resource, metadata }: SentList) {
  return { kind: `${resource.kind}List`, apiVersion: apiVersionOf(resource), metadata };
}

async function sendPieces({ response, edge }: Negotiated, list: SentList): Promise<void> {
  const head = Buffer.from(`${JSON.stringify(headOf(list)).slice(0, -1)},"items":[`);
  const { items } = list;
  if (items.length <= few) {
    sendBytes(response, Buffer.concat([head, ...items.flatMap(separated), end]));
    return;
  }
  startAnswer(response, {});
  const outlet = new Outlet(response, edge.clock);
  outlet.add(head);
  for (const [index, item] of items.entries()) {
    outlet.add(...separated(item, index));
    if (outlet.isFull && !(await outlet.flush())) return;
  }
  if (await outlet.flush()) response.end(end);
}

function separated(item: Item, index: number): Buffer[] {
  return index === 0 ? [item.bytes()] : [comma, item.bytes()];
}

const comma = Buffer.from(",");
const end = Buffer.from("]}");
