import type * as OpenId from "openid-client";
import { Agent, fetch, ProxyAgent, type RequestInit } from "undici";
import { networkMessageOf } from "../http/transport.ts";
import { loadOptional } from "../../optional-package.ts";
import type { OidcProvider } from "./oidc-identity.ts";

/** What the issuer answered; an issuer whose refresh tokens are valid once sends the next one, too. */
export interface RefreshedTokens {
  readonly idToken: string;
  readonly refreshToken: string | undefined;
}

type OpenIdClient = typeof OpenId;

/** Loads the OpenID Connect library; a parameter so that tests can replace it. */
export type LoadOpenIdClient = () => Promise<OpenIdClient>;

const importOpenIdClient: LoadOpenIdClient = () => import("openid-client");

/** The OpenID Connect library, an optional peer dependency. Throws a sentence that says how to install it. */
export function openIdClient(load: LoadOpenIdClient = importOpenIdClient): Promise<OpenIdClient> {
  return loadOptional({ name: "openid-client", neededBy: "the auth-provider oidc of the kubeconfig" }, load);
}

/** Asks the issuer for another id-token. Throws one sentence, which quotes no token. */
export async function refreshTokens(
  library: OpenIdClient,
  provider: OidcProvider & { readonly refreshToken: string },
  signal: AbortSignal,
): Promise<RefreshedTokens> {
  const { issuer, clientId, clientSecret, refreshToken } = provider;
  const dispatcher = dispatcherFor(provider);
  const send = (url: string, init: RequestInit) => {
    const either = init.signal ? AbortSignal.any([init.signal, signal]) : signal;
    return fetch(url, { ...init, signal: either, dispatcher });
  };
  try {
    const configuration = await library.discovery(
      new URL(issuer),
      clientId,
      undefined,
      clientAuthentication(library, clientSecret),
      // undici and TypeScript each declare these interfaces; they are the same.
      { [library.customFetch]: send as unknown as OpenId.CustomFetch },
    );
    const answer = await library.refreshTokenGrant(configuration, refreshToken);
    if (answer.id_token === undefined) throw new Error("its answer to the refresh-token has no id_token");
    return { idToken: answer.id_token, refreshToken: answer.refresh_token };
  } catch (error) {
    throw new Error(`the OpenID Connect issuer ${issuer}: ${reasonOf(library, error)}`, { cause: error });
  } finally {
    await dispatcher.destroy();
  }
}

function dispatcherFor({ ca, proxy }: OidcProvider): Agent | ProxyAgent {
  const tls = ca === undefined ? {} : { ca };
  return proxy === undefined ? new Agent({ connect: tls }) : new ProxyAgent({ uri: proxy, requestTls: tls });
}

/** The secret goes into a header, as OpenID Connect has it, unless the issuer wants it in the body. */
function clientAuthentication(library: OpenIdClient, secret: string | undefined): OpenId.ClientAuth {
  if (secret === undefined) return library.None();
  return (server, ...request) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
    const inHeader = methods.includes("client_secret_basic") || !methods.includes("client_secret_post");
    const method = inHeader ? library.ClientSecretBasic : library.ClientSecretPost;
    return method(secret)(server, ...request);
  };
}

/** Limits the length of the issuer's message in errors. */
const longestReason = 300;

function reasonOf(library: OpenIdClient, error: unknown): string {
  if (error instanceof library.ResponseBodyError) {
    const why = [error.error, error.error_description].filter(Boolean).join(": ");
    return `it refused the refresh-token (${why.slice(0, longestReason)}); log in again`;
  }
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : undefined;
  return [error, ...(cause === undefined ? [] : [cause])].map(networkMessageOf).join(": ");
}
