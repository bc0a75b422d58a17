import type { ExecPlugin } from "./exec-plugin.ts";
import type { OidcProvider } from "./oidc-identity.ts";

/** The address of an API server and the credentials for it. */
export interface Connection {
  /** `https://host:port`, with a path if the server is below one; no slash at the end. */
  readonly server: string;
  readonly credential: Credential;
  readonly tls: TlsSettings;
  /** The default namespace. */
  readonly namespace: string;
  /** The HTTP proxy between here and the server, as a URL; absent: none. */
  readonly proxy?: string | undefined;
  /** The headers of a request that impersonates another user; absent: it acts as the credential's owner. */
  readonly impersonation?: Readonly<Record<string, string | readonly string[]>> | undefined;
}

/** What is sent with every request; a client certificate is part of the TLS settings instead. */
export type Credential =
  | { readonly type: "none" }
  | { readonly type: "token"; readonly token: string }
  /** The file is read again regularly: such tokens expire and are replaced. */
  | { readonly type: "token-file"; readonly path: string }
  | { readonly type: "basic"; readonly username: string; readonly password: string }
  /** A program prints the token or the client certificate. */
  | { readonly type: "exec"; readonly plugin: ExecPlugin }
  /** An OpenID Connect issuer replaces the token. */
  | { readonly type: "oidc"; readonly provider: OidcProvider };

/** Certificates and keys are PEM texts. */
export interface TlsSettings {
  /** Absent: the authorities the runtime trusts. */
  readonly ca?: string | undefined;
  readonly certificate?: string | undefined;
  readonly key?: string | undefined;
  /** Where the client certificate and its key come from, if from files: these are read again, since certificates rotate. */
  readonly files?: { readonly certificate: string; readonly key: string } | undefined;
  /** The name the server's certificate must carry when it is not the host of the address. */
  readonly serverName?: string | undefined;
  readonly skipVerify: boolean;
}

/** A connection, or all errors that prevent one, one sentence each. */
export type ConnectionResult =
  | { readonly ok: true; readonly connection: Connection }
  | { readonly ok: false; readonly errors: readonly string[] };
