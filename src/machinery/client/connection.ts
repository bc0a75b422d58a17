/** The address of an API server and the credentials for it. */
export interface Connection {
  /** `https://host:port`, with a path if the server is below one; no slash at the end. */
  readonly server: string;
  readonly credential: Credential;
  readonly tls: TlsSettings;
  /** The default namespace. */
  readonly namespace: string;
}

/** What is sent with every request; a client certificate is part of the TLS settings instead. */
export type Credential =
  | { readonly type: "none" }
  | { readonly type: "token"; readonly token: string }
  /** The file is read again regularly: such tokens expire and are replaced. */
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

/** A connection, or all errors that prevent one, one sentence each. */
export type ConnectionResult =
  | { readonly ok: true; readonly connection: Connection }
  | { readonly ok: false; readonly errors: readonly string[] };
