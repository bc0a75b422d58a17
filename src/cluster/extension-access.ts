import type { KeyPair } from "../machinery/certificates/certificate.ts";
import type { Clock } from "../machinery/clock/clock.ts";
import type { AllowList } from "../picker/addresses/address-policy.ts";
import type { ExtensionTransport } from "./apiserver/aggregation/extension-transport.ts";
import { localTargets } from "./webhook-access.ts";
import type { Store } from "./store/store.ts";

/** Creates the transport through which an API server reaches the extension API servers of APIServices. */
export type ExtensionTransportFactory = (from: {
  readonly store: Store;
  readonly clock: Clock;
  /** The certificate by which they know this server; absent: it has none. */
  readonly proxyClient?: KeyPair | undefined;
}) => ExtensionTransport;

/** Reaches extension API servers on loopback, and where the allow list permits, like webhooks. */
export function localExtensionServers({
  allowed,
}: {
  readonly allowed: AllowList;
}): ExtensionTransportFactory {
  return ({ store, clock, proxyClient }) => {
    const resolver = { ...localTargets({ store, clock, allowed }), callee: "extension API server" };
    let loading: Promise<ExtensionTransport> | undefined;
    // The HTTP library is loaded by the first call, so that a cluster without such servers starts faster.
    const load = async () => {
      const { httpsExtensionTransport } =
        await import("./apiserver/aggregation/https-extension-transport.ts");
      return httpsExtensionTransport({ resolver, proxyClient });
    };
    return {
      send: async (server, request) => (await (loading ??= load())).send(server, request),
      close: async () => (await loading)?.close?.(),
    };
  };
}
