/** The bytes of a request or a response as they come: Node's `Readable` is one. */
export interface ExtensionBody extends AsyncIterable<Uint8Array> {
  /** Ends it before its end. */
  destroy(error?: Error): unknown;
}

/** Where the extension API server of an APIService is, and how its certificate is checked. */
export interface ExtensionServer {
  readonly service: { readonly namespace: string; readonly name: string; readonly port: number };
  /** Base64 of PEM, as the APIService has it; absent: the authorities of the system. */
  readonly caBundle?: string | undefined;
  readonly insecureSkipTLSVerify: boolean;
}

/** Headers with their values, a repeated one as a list. */
export type ExtensionHeaders = Readonly<Record<string, string | readonly string[]>>;

/** A request to an extension API server. */
export interface ExtensionRequest {
  readonly method: string;
  /** Path and query, still encoded. */
  readonly path: string;
  readonly headers: ExtensionHeaders;
  /** Absent: the request has no body. */
  readonly body?: ExtensionBody | undefined;
  /** Aborts when the client no longer waits for the response, also while its body is read. */
  readonly signal: AbortSignal;
}

/** The beginning of a response, whose body is still coming; or why there is none. */
export type ExtensionReply =
  | {
      readonly ok: true;
      readonly code: number;
      readonly headers: ExtensionHeaders;
      readonly body: ExtensionBody;
    }
  | { readonly ok: false; readonly why: string };

/** Sends requests to extension API servers; never rejects. */
export interface ExtensionTransport {
  send(server: ExtensionServer, request: ExtensionRequest): Promise<ExtensionReply>;
  close?(): Promise<void>;
}

/** The transport of a cluster in virtual time, where waiting for a real network would make runs differ. */
export const noExtensionServers: ExtensionTransport = {
  send: async () => ({ ok: false, why: "extension API servers are not called in virtual time" }),
};
