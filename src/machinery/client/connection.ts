/** Where an API server is and who we are to it: all a client needs to know, from whatever file it came. */
export interface Connection {
  /** `https://host:port`, with a path where the server lives under one; no slash at the end. */
  readonly server: string;
  readonly credential: Credential;
  readonly tls: TlsSettings;
  /** The namespace a person means when naming none. */
  readonly namespace: string;
}

/** What is shown on every request; a client certificate is part of the TLS settings instead. */
export type Credential =
  | { readonly type: "none" }
  | { readonly type: "token"; readonly token: string }
  /** The file is read again from time to time: such tokens expire and are replaced. */
  | { readonly type: "token-file"; readonly path: string };

/** Certificates and keys are PEM texts. */
export interface TlsSettings {
  /** Absent: the authorities the runtime trusts. */
  readonly ca?: string | undefined;
  readonly certificate?: string | undefined;
  readonly key?: string | undefined;
  /** The name the server's certificate must carry when it is not the host of the address. */
  readonly serverName?: string | undefined;
  readonly skipVerify: boolean;
}

/** A connection, or every reason why there is none, each a sentence for a person. */
export type ConnectionResult =
  | { readonly ok: true; readonly connection: Connection }
  | { readonly ok: false; readonly errors: readonly string[] };
