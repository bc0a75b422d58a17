import type { StoredObject } from "../../src/api/object.ts";
import type { Resource } from "../../src/api/resource.ts";
import type { WatchEvent } from "../../src/machinery/client/client.ts";
import { listRequest, watchRequest } from "../../src/machinery/client/http/request.ts";
import { apiErrorOf, listOf, parseResponse } from "../../src/machinery/client/http/response.ts";
import { parseWatchEvent } from "../../src/machinery/client/http/parse-watch-event.ts";
import type { EventChannel } from "./event-channel.ts";
import type { LiveClient } from "./page-connector.ts";
import { type MultiplexerOptions, WatchMultiplexer } from "./watch-multiplexer.ts";

export interface FetchClientOptions extends MultiplexerOptions {
  /** Called when the API server has answered a watch that goes on from what is known of the resource. */
  readonly opened: (resource: Resource) => void;
}

/** Lists and watches the API that the page's server forwards. */
export function fetchClient(options: FetchClientOptions): LiveClient {
  const multiplexer = new WatchMultiplexer(options);
  return {
    cut: (error) => multiplexer.cut(error),
    async list(resource, query, signal) {
      const request = listRequest(resource, query);
      const response = await options.fetch(request.path, signal === undefined ? {} : { signal });
      const text = await response.text();
      if (!response.ok) throw apiErrorOf(request, response.status, text);
      return listOf(resource, parseResponse(request, text));
    },
    watch(resource, query, signal) {
      const opened = () => {
        if (query.sendInitialEvents !== true) options.opened(resource);
      };
      return eventsOf(multiplexer.open(watchRequest(resource, query).path, opened, signal));
    },
  };
}

async function* eventsOf<T extends StoredObject>(channel: EventChannel): AsyncGenerator<WatchEvent<T>> {
  try {
    for await (const line of channel.read()) yield parseWatchEvent<T>(line);
  } finally {
    channel.end();
  }
}
