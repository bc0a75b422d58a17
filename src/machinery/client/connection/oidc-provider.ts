/** An OpenID Connect issuer and what it gave the user, as the `auth-provider` of a kubeconfig names them. */
export interface OidcProvider {
  readonly issuer: string;
  readonly clientId: string;
  /** Absent: a public client. */
  readonly clientSecret: string | undefined;
  readonly idToken: string | undefined;
  readonly refreshToken: string | undefined;
  /** The authorities that sign the certificate of the issuer; absent: those the runtime trusts. */
  readonly ca: string | undefined;
  /** The HTTP proxy between here and the issuer, as a URL; absent: none. */
  readonly proxy: string | undefined;
}
