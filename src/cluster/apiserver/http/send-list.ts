import type { ListMeta } from "../../../api/generated/meta-v1.ts";
import type { Item } from "../item.ts";
import type { ServedResource } from "../served-resource.ts";
import type { Negotiated } from "./edge.ts";
import { layoutOf } from "./list-layout.ts";
import { Outlet } from "./outlet.ts";
import { sendBytes, startAnswer } from "./send.ts";

/** So many items are sent in one piece. */
const few = 20;

/** A list on its way out. */
export interface SentList {
  readonly resource: ServedResource;
  readonly items: readonly Item[];
  readonly metadata: ListMeta;
}

/** Sends a list item by item, stepping aside between pieces of a long one. */
export async function sendList(exchange: Negotiated, list: SentList): Promise<void> {
  const { response, edge } = exchange;
  const { items } = list;
  const { type, head, bytesOf, between, end, atOnce } = layoutOf(exchange, list);
  const separated = (item: Item, index: number): readonly Uint8Array[] =>
    index === 0 ? [bytesOf(item)] : [between, bytesOf(item)];
  if (items.length <= few) {
    sendBytes(response, Buffer.concat([head, ...items.flatMap(separated), end]), { type });
    return;
  }
  startAnswer(response, { type });
  const outlet = new Outlet(response, edge.clock);
  outlet.add(head);
  for (const [index, item] of items.entries()) {
    outlet.add(...separated(item, index));
    const isTurnOver = outlet.isFull || index % atOnce === atOnce - 1;
    if (isTurnOver && !(await outlet.flush())) return;
  }
  if (await outlet.flush()) response.end(end);
}
