import type { Resource } from "../../src/api/resource.ts";
import type { Client } from "../../src/machinery/client/client.ts";
import { fetchClient } from "./fetch-client.ts";
import { type PageRequests, pageRequests } from "./page-requests.ts";
import type { MultiplexerOptions } from "./watch-multiplexer.ts";

/** Lists and watches a cluster. */
export interface LiveClient extends Pick<Client, "list" | "watch"> {
  /** Ends all watches with an error. */
  readonly cut: (error: unknown) => void;
}

/** How the page reaches a cluster: over HTTP, or in a worker beside it. */
export interface PageConnector {
  readonly requests: PageRequests;
  /** `opened` is called when a watch that goes on from what is known of the resource has been answered. */
  readonly client: (opened: (resource: Resource) => void) => LiveClient;
  /** How often facts are asked for; absent: every two seconds. */
  readonly factsMs?: number;
  /** A server that has not answered for so long counts as gone; absent: it never does, since nothing lies between. */
  readonly answerMs?: number;
  /** Where the playground is; absent: this page is none, and does not know. */
  readonly playgroundAddress?: string;
}

/** With two seconds between the questions, a server that freezes is shown as gone within five. */
const answerMs = 2500;

/** Reaches the cluster of the page's server. */
export function fetchConnector(options: MultiplexerOptions): PageConnector {
  return {
    answerMs,
    requests: pageRequests(options.fetch),
    client: (opened) => fetchClient({ ...options, opened }),
  };
}
