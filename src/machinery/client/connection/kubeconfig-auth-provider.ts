import { isJsonObject, type JsonObject } from "../../../api/json.ts";
import type { Credential } from "./connection.ts";
import { type KubeconfigEntry, kubeconfigText, pemAt, pemText } from "./kubeconfig-document.ts";
import type { ReadContext } from "./kubeconfig-entry.ts";
import type { OidcProvider } from "./oidc-identity.ts";
import { proxyFromEnvironment, proxyProblem } from "./proxy.ts";

/** The credential that the `auth-provider` of a user entry names; adds to `errors` what is wrong with it. */
export function authProviderCredential(
  user: KubeconfigEntry,
  provider: JsonObject,
  reading: ReadContext,
): Credential {
  const name = kubeconfigText(provider, "name") ?? "";
  const refuse = (why: string) => reading.errors.push(`user "${user.name}": auth-provider ${name}${why}`);
  if (name !== "oidc") {
    refuse(" is not supported; use an exec plugin, as kubectl does since 1.26");
    return { type: "none" };
  }
  const body = isJsonObject(provider["config"]) ? provider["config"] : {};
  const config = { ...reading, body, folder: user.folder };
  return { type: "oidc", provider: oidcProviderOf(config, (why) => refuse(`: ${why}`)) };
}

type ProviderConfig = Pick<KubeconfigEntry, "body" | "folder"> & Pick<ReadContext, "readFile" | "env">;

function oidcProviderOf(config: ProviderConfig, refuse: (why: string) => void): OidcProvider {
  const { body, readFile, env } = config;
  const required = (key: string) => {
    const value = kubeconfigText(body, key);
    if (value === undefined) refuse(`it has no ${key}`);
    return value ?? "";
  };
  const issuer = required("idp-issuer-url");
  if (issuer !== "" && !isHttps(issuer))
    refuse(`idp-issuer-url ${JSON.stringify(issuer)} is not an https address`);
  const clientId = required("client-id");
  const ca = pemAt(config, "idp-certificate-authority", readFile);
  if (typeof ca === "object") refuse(ca.problem);
  const [idToken, refreshToken] = [kubeconfigText(body, "id-token"), kubeconfigText(body, "refresh-token")];
  if (idToken === undefined && refreshToken === undefined)
    refuse("it has neither an id-token nor a refresh-token: log in first");
  return {
    issuer,
    clientId,
    clientSecret: kubeconfigText(body, "client-secret"),
    idToken,
    refreshToken,
    ca: pemText(ca),
    proxy: proxyTo(issuer, env, refuse),
  };
}

function isHttps(address: string): boolean {
  return URL.canParse(address) && new URL(address).protocol === "https:";
}

/** `proxy-url` is for the API server alone, as in kubectl. */
function proxyTo(issuer: string, env: ReadContext["env"], refuse: (why: string) => void): string | undefined {
  const proxy = proxyFromEnvironment(issuer, env);
  const problem = proxy === undefined ? undefined : proxyProblem(proxy);
  if (problem !== undefined) refuse(`the proxy of the environment ${problem}`);
  return proxy;
}
