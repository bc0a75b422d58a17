import type { ListMeta } from "../../../../api/generated/meta-v1.ts";
import type { ServedResource } from "../../served-resource.ts";
import type { ServedObject } from "../../storage/served-object.ts";
import type { NegotiatedExchange } from "../http-dependencies.ts";
import { listEncodingOf } from "./list-encoding.ts";
import { ResponseWriter } from "./response-writer.ts";
import { sendBytes, writeResponseHead } from "./send-response.ts";

/** A list response. */
export interface ListResponse {
  readonly resource: ServedResource;
  readonly items: readonly ServedObject[];
  readonly metadata: ListMeta;
}

/** Sends a list: a long one in batches, between which the event loop serves other requests, a short one in one write. */
export async function sendList(exchange: NegotiatedExchange, list: ListResponse): Promise<void> {
  const { response, deps } = exchange;
  const { type, head, encodeItem, separator, end, batchSize } = listEncodingOf(exchange, list);
  const writer = new ResponseWriter(response, deps.clock);
  let isLong = false;
  writer.add(head);
  for (const [index, item] of list.items.entries()) {
    if (index > 0) writer.add(separator);
    writer.add(encodeItem(item));
    if (!writer.isFull && index % batchSize < batchSize - 1) continue;
    if (!isLong) writeResponseHead(response, { type });
    isLong = true;
    if (!(await writer.flush())) return;
  }
  writer.add(end);
  if (!isLong) sendBytes(response, Buffer.concat(writer.take()), { type });
  else await writer.end();
}
