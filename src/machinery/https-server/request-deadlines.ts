/**
 * Options of Node's HTTP servers: how long a client may take to send a request, from the connection or the first byte on.
 * Connections that are idle between requests are ended by `keepAliveTimeout` instead, and the time of the answer does not
 * count.
 */
export const requestDeadlines = {
  /** For the head. */
  headersTimeout: 10_000,
  /** For the head and the body. */
  requestTimeout: 60_000,
  connectionsCheckingInterval: 2000,
} as const;
