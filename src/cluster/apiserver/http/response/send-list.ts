import type { ListMeta } from "../../../../api/generated/meta-v1.ts";
import type { ServedResource } from "../../served-resource.ts";
import type { ServedObject } from "../../storage/served-object.ts";
import type { NegotiatedExchange } from "../http-dependencies.ts";
import { listEncodingOf } from "./list-encoding.ts";
import { ResponseWriter } from "./response-writer.ts";
import { sendBytes, writeResponseHead } from "./send-response.ts";

/** So many items are sent in one piece. */
const few = 20;

/** A list on its way out. */
export interface ListResponse {
  readonly resource: ServedResource;
  readonly items: readonly ServedObject[];
  readonly metadata: ListMeta;
}

/** Sends a list item by item, stepping aside between pieces of a long one. */
export async function sendList(exchange: NegotiatedExchange, list: ListResponse): Promise<void> {
  const { response, deps } = exchange;
  const { items } = list;
  const { type, head, encodeItem, between, end, batchSize } = listEncodingOf(exchange, list);
  const separated = (item: ServedObject, index: number): readonly Uint8Array[] =>
    index === 0 ? [encodeItem(item)] : [between, encodeItem(item)];
  if (items.length <= few) {
    sendBytes(response, Buffer.concat([head, ...items.flatMap(separated), end]), { type });
    return;
  }
  writeResponseHead(response, { type });
  const outlet = new ResponseWriter(response, deps.clock);
  outlet.add(head);
  for (const [index, item] of items.entries()) {
    outlet.add(...separated(item, index));
    const isTurnOver = outlet.isFull || index % batchSize === batchSize - 1;
    if (isTurnOver && !(await outlet.flush())) return;
  }
  if (await outlet.flush()) response.end(end);
}
