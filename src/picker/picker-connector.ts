import { rootCertificates } from "node:tls";
import type { Client } from "../machinery/client/client.ts";
import type { Clock } from "../machinery/clock/clock.ts";
import type { AddressPolicy } from "./address-policy.ts";
import { apiServerGuard } from "./api-server-guard.ts";
import { type Lookup, systemLookup } from "./lookup.ts";
import { networkResolver, type Resolve } from "./resolver.ts";
import type { Transport, Transports } from "./transport.ts";

/** How pickers are found and called: over a network, or within a simulated world. */
export interface PickerConnector {
  readonly resolve: Resolve;
  readonly transports: Transports;
}

export interface NetworkConnectorOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly policy: AddressPolicy;
  /** Where the API server is reached over a network, if it is, as a URL: no picker may be there. */
  readonly apiServer?: (() => string | undefined) | undefined;
  /** Whether the cluster is the embedded one, whose Services lead nowhere. */
  readonly isSimulated: boolean;
  /** An authority trusted besides the system's, as PEM. */
  readonly ca?: string | undefined;
  /** Of the product, as pickers are told it. */
  readonly version?: string | undefined;
  /** Absent: the system's resolver. */
  readonly lookup?: Lookup;
}

/** Calls pickers over the network, as far as the policy lets them be called. */
export function networkConnector(options: NetworkConnectorOptions): PickerConnector {
  const { ca, version } = options;
  const shared = { version, ...(ca !== undefined && { ca: [...rootCertificates, ca] }) };
  const means = { lookup: systemLookup(), ...options };
  return {
    resolve: networkResolver({ ...means, isApiServer: apiServerGuard(means) }),
    transports: {
      http: lazyTransport(async () => (await import("./http-transport.ts")).httpTransport(shared)),
      grpc: lazyTransport(async () => (await import("./grpc-transport.ts")).grpcTransport(shared)),
    },
  };
}

/** A transport whose library is loaded with the first call: a cluster without pickers starts sooner. */
export function lazyTransport(load: () => Promise<Transport>): Transport {
  let loading: Promise<Transport> | undefined;
  const loaded = async (): Promise<Transport> => {
    try {
      return await (loading ??= load());
    } catch (error) {
      loading = undefined; // what was missing may be there the next time
      throw error;
    }
  };
  return { pickPods: async (call) => (await loaded()).pickPods(call) };
}
