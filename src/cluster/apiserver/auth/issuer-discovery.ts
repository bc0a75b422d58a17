import type { JsonObject } from "../../../api/json.ts";
import type { ServiceAccountTokens } from "./service-account-tokens.ts";

/** A document for checking service account tokens. */
export interface IssuerDocument {
  readonly type: string;
  readonly value: JsonObject;
}

/** Returns the documents of OpenID Connect Discovery, by path. */
export type IssuerDiscovery = (path: string) => IssuerDocument | undefined;

const keysPath = "/openid/v1/jwks";
const configurationPath = "/.well-known/openid-configuration";

/** The paths of the documents. */
export const issuerPaths: readonly string[] = [configurationPath, keysPath];

/** Publishes the key of a cluster's tokens, at the address at which clients reach the API server. */
export function issuerDiscovery(
  tokens: Pick<ServiceAccountTokens, "issuer" | "publicKey">,
  address: string,
): IssuerDiscovery {
  return (path) => {
    if (path === keysPath)
      return { type: "application/jwk-set+json", value: { keys: [tokens.publicKey() as JsonObject] } };
    if (path !== configurationPath) return undefined;
    const key = tokens.publicKey() as JsonObject;
    const value = {
      issuer: tokens.issuer,
      jwks_uri: `https://${address}${keysPath}`,
      response_types_supported: ["id_token"],
      subject_types_supported: ["public"],
      id_token_signing_alg_values_supported: [key["alg"] ?? "ES256"],
    };
    return { type: "application/json", value };
  };
}
