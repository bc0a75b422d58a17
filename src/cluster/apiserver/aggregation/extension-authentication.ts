import type { KeyPair } from "../../../machinery/certificates/certificate.ts";
import { remoteHeaders } from "./proxy-headers.ts";

/** The certificates by which extension API servers recognise requests of this server and trust their headers. */
export interface FrontProxy {
  /** The authority of the client's certificate, as PEM. It signs nothing else. */
  readonly authority: string;
  readonly client: KeyPair;
}

/** The name of this server in its certificate as a client. */
export const frontProxyName = "front-proxy-client";

/**
 * Returns the data of the ConfigMap `kube-system/extension-apiserver-authentication`, from which extension API servers
 * learn whom to believe.
 */
export function extensionAuthentication(
  frontProxy: FrontProxy,
  clientAuthority: string,
): Readonly<Record<string, string>> {
  const list = (text: string) => JSON.stringify([text]);
  return {
    "client-ca-file": clientAuthority,
    "requestheader-allowed-names": list(frontProxyName),
    "requestheader-client-ca-file": frontProxy.authority,
    "requestheader-extra-headers-prefix": list(remoteHeaders.extraPrefix),
    "requestheader-group-headers": list(remoteHeaders.group),
    "requestheader-uid-headers": list(remoteHeaders.uid),
    "requestheader-username-headers": list(remoteHeaders.user),
  };
}
