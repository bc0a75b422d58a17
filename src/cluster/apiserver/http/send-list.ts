import type { ListMeta } from "../../../api/generated/meta-v1.ts";
import { apiVersionOf } from "../../../api/resource.ts";
import type { Item } from "../item.ts";
import type { ServedResource } from "../served-resource.ts";
import { drained } from "./drained.ts";
import type { Negotiated } from "./edge.ts";
import { metadataOnly, tableOf } from "./present.ts";
import { sendBytes, sendValue, startAnswer } from "./send.ts";
import { yieldToLoop } from "./yield-to-loop.ts";

/** How many items are written before others get their turn. */
const atOnce = 200;

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
  if (items.length <= atOnce) {
    sendBytes(response, Buffer.concat([head, ...piece(items, 0), end]));
    return;
  }
  startAnswer(response, {});
  response.write(head);
  for (let at = 0; at < items.length; at += atOnce) {
    response.write(Buffer.concat(piece(items, at)));
    await yieldToLoop();
    if (!(await drained(response, edge.clock))) return;
  }
  response.end(end);
}

function piece(items: readonly Item[], from: number): Buffer[] {
  const buffers: Buffer[] = [];
  for (const [index, item] of items.slice(from, from + atOnce).entries()) {
    if (from + index > 0) buffers.push(comma);
    buffers.push(item.bytes());
  }
  return buffers;
}

const comma = Buffer.from(",");
const end = Buffer.from("]}");
