import type { ListMeta } from "../../../../api/generated/meta-v1.ts";
import type { ServedResource } from "../../served-resource.ts";
import type { ServedObject } from "../../storage/served-object.ts";
import type { NegotiatedExchange } from "../http-dependencies.ts";
import { listEncodingOf } from "./list-encoding.ts";
import { ResponseWriter } from "./response-writer.ts";
import { sendBytes, writeResponseHead } from "./send-response.ts";

/** Lists of up to this many items are sent in one write. */
const maxSingleWrite = 20;

/** A list response. */
export interface ListResponse {
  readonly resource: ServedResource;
  readonly items: readonly ServedObject[];
  readonly metadata: ListMeta;
}

/** Sends a list; a long one in batches, between which the event loop serves other requests. */
export async function sendList(exchange: NegotiatedExchange, list: ListResponse): Promise<void> {
  const { response, deps } = exchange;
  const { items } = list;
  const { type, head, encodeItem, separator, end, batchSize } = listEncodingOf(exchange, list);
  const separated = (item: ServedObject, index: number): readonly Uint8Array[] =>
    index === 0 ? [encodeItem(item)] : [separator, encodeItem(item)];
  if (items.length <= maxSingleWrite) {
    sendBytes(response, Buffer.concat([head, ...items.flatMap(separated), end]), { type });
    return;
  }
  writeResponseHead(response, { type });
  const writer = new ResponseWriter(response, deps.clock);
  writer.add(head);
  for (const [index, item] of items.entries()) {
    writer.add(...separated(item, index));
    const isBatchEnd = writer.isFull || index % batchSize === batchSize - 1;
    if (isBatchEnd && !(await writer.flush())) return;
  }
  if (await writer.flush()) response.end(end);
}
