import { rootCertificates } from "node:tls";
import type { Client } from "../machinery/client/client.ts";
import type { Clock } from "../machinery/clock/clock.ts";
import { loadOptional, MissingPackageError } from "../machinery/optional-package.ts";
import type { AddressPolicy } from "./addresses/address-policy.ts";
import { apiServerGuard } from "./addresses/api-server-guard.ts";
import type { CallLimits } from "./call/call-limiter.ts";
import { problemWithTrust } from "./credentials/check-trust.ts";
import { type Lookup, systemLookup } from "./addresses/lookup.ts";
import { networkResolver } from "./addresses/resolver.ts";
import type { PickerConnector } from "./picker-connector.ts";
import { permanentFailure } from "./picker-failure.ts";
import { grpcPackage } from "./transport/grpc-package.ts";
import type { Transport, TransportOptions } from "./transport/transport.ts";

export interface NetworkConnectorOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly policy: AddressPolicy;
  /** The URL of the API server, if it is reached over a network: no picker may run there. */
  readonly apiServer?: (() => string | undefined) | undefined;
  /** Whether the cluster is the embedded one, whose Services have no real endpoints. */
  readonly isSimulated: boolean;
  /** A CA trusted besides the system's, as PEM. */
  readonly ca?: string | undefined;
  /** Sent as part of the user agent. */
  readonly version?: string | undefined;
  /** Default: `defaultCallLimits`. */
  readonly limits?: CallLimits | undefined;
  /** Default: the system's resolver. */
  readonly lookup?: Lookup;
}

/** Calls pickers over the network, at the addresses that the policy allows. */
export function networkConnector(options: NetworkConnectorOptions): PickerConnector {
  const { ca, version, limits } = options;
  const shared = { version, ...(ca !== undefined && { ca: [...rootCertificates, ca] }) };
  const dependencies = { lookup: systemLookup(options), ...options };
  return {
    limits,
    checkTrust: problemWithTrust,
    resolve: networkResolver({ ...dependencies, isApiServer: apiServerGuard(dependencies) }),
    transports: {
      http: lazyTransport(async () => (await import("./transport/http-transport.ts")).httpTransport(shared)),
      grpc: lazyTransport(() => loadGrpcTransport(shared)),
    },
  };
}

/** Without its package every call fails, for the reason that the package is missing. */
async function loadGrpcTransport(options: TransportOptions): Promise<Transport> {
  try {
    const needed = { ...grpcPackage, neededBy: "a pod picker over gRPC" };
    return (await loadOptional(needed, () => import("./transport/grpc-transport.ts"))).grpcTransport(options);
  } catch (error) {
    if (!(error instanceof MissingPackageError)) throw error;
    const failure = permanentFailure("InvalidConfig", { problem: error.message });
    return { pickPods: () => Promise.resolve(failure) };
  }
}

/** A transport whose library is loaded by the first call, so that a cluster without pickers starts faster. */
export function lazyTransport(load: () => Promise<Transport>): Transport {
  let loading: Promise<Transport> | undefined;
  const loaded = async (): Promise<Transport> => {
    try {
      return await (loading ??= load());
    } catch (error) {
      loading = undefined; // the next call tries again
      throw error;
    }
  };
  return { pickPods: async (call) => (await loaded()).pickPods(call) };
}
