import { isJsonObject } from "../../../api/json.ts";
import { parseJson } from "../../../api/parse-json.ts";
import type { Instant } from "../../../api/time.ts";
import type { Clock } from "../../clock/clock.ts";
import type { Identity, IdentitySource } from "./identity.ts";
import { type LoadOpenIdClient, openIdClient, refreshTokens } from "./oidc-refresh.ts";
import { type ExpiringIdentity, renewedIdentity } from "./renewed-identity.ts";

export interface OidcIdentityOptions {
  readonly provider: OidcProvider;
  /** The client certificate of the user entry. */
  readonly own: Pick<Identity, "certificate" | "key">;
  readonly clock: Clock;
  readonly load?: LoadOpenIdClient | undefined;
}

/** Renews a token this long before it expires, as client-go does: clocks differ, and the request takes time. */
const marginMs = 10_000;

/**
 * Provides the id-token of an OpenID Connect user, and replaces it with the refresh-token when it expires or is refused.
 * Keeps new tokens in memory only; the kubeconfig is not changed.
 */
export function oidcIdentity({ provider, own, clock, load }: OidcIdentityOptions): IdentitySource {
  const { issuer } = provider;
  let { refreshToken } = provider;
  const identityWith = (idToken: string): ExpiringIdentity => {
    const expires = expiryOf(idToken);
    return {
      identity: { ...own, authorization: `Bearer ${idToken}` },
      expires: expires === undefined ? undefined : expires - marginMs,
    };
  };
  let library: ReturnType<typeof openIdClient> | undefined;
  const loaded = () => (library ??= openIdClient(load));
  const source = renewedIdentity({
    clock,
    initial: provider.idToken === undefined ? undefined : identityWith(provider.idToken),
    missed: `the OpenID Connect issuer ${issuer}: no id-token`,
    async renew(signal) {
      if (refreshToken === undefined)
        throw new Error(
          `the id-token of the OpenID Connect issuer ${issuer} has expired, and the kubeconfig has no refresh-token: log in again`,
        );
      const tokens = await refreshTokens(await loaded(), { ...provider, refreshToken }, signal);
      refreshToken = tokens.refreshToken ?? refreshToken;
      return identityWith(tokens.idToken);
    },
  });
  return {
    ...source,
    async current(request) {
      // Reports a missing package at once, not hours later, when the first token expires.
      if (refreshToken !== undefined) await loaded();
      return source.current(request);
    },
    // The only token there is: an API server that has just started may not know the keys of the issuer yet.
    refused: (identity) => refreshToken !== undefined && source.refused(identity),
  };
}

/** Returns when a JSON Web Token expires, if it does; anything else counts as expired. */
function expiryOf(token: string): Instant | undefined {
  const [, payload = ""] = token.split(".");
  const claims = parseJson(Buffer.from(payload, "base64url").toString("utf8"));
  const seconds = claims.ok && isJsonObject(claims.value) ? claims.value["exp"] : 0;
  return typeof seconds === "number" ? seconds * 1000 : undefined;
}

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
