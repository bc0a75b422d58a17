import type { Service } from "../api/generated/core-v1.ts";
import type { Clock } from "../machinery/clock/clock.ts";
import type { AllowList } from "../picker/addresses/address-policy.ts";
import { systemLookup } from "../picker/addresses/lookup.ts";
import type { TargetResolver } from "./apiserver/webhooks/webhook-target.ts";
import type { WebhookTransport } from "./apiserver/webhooks/webhook-transport.ts";
import type { Store } from "./store/store.ts";

/** Creates the transport through which an API server calls admission webhooks. */
export type WebhookTransportFactory = (from: {
  readonly store: Store;
  readonly clock: Clock;
}) => WebhookTransport;

/**
 * Calls webhooks on loopback, and where the allow list permits, so that a production manifest sends no objects
 * elsewhere.
 */
export function localWebhooks({ allowed }: { readonly allowed: AllowList }): WebhookTransportFactory {
  return ({ store, clock }) => {
    const resolver = localTargets({ store, clock, allowed });
    let loading: Promise<WebhookTransport> | undefined;
    // The HTTP library is loaded by the first call, so that a cluster without webhooks starts faster.
    const load = async () => {
      const { httpsWebhookTransport } = await import("./apiserver/webhooks/https-webhook-transport.ts");
      return httpsWebhookTransport(resolver);
    };
    return {
      call: async (call) => (await (loading ??= load())).call(call),
      close: async () => (await loading)?.close?.(),
    };
  };
}

interface LocalTargets {
  readonly store: Store;
  readonly clock: Clock;
  readonly allowed: AllowList;
}

/** Finds servers on loopback, and where the allow list permits, by URL or Service. */
export function localTargets({ store, clock, allowed }: LocalTargets): TargetResolver {
  const services = store.collection("services");
  return {
    policy: { loopback: true, allowed },
    lookup: systemLookup({ clock }),
    // A collection holds only objects of its resource.
    service: (namespace, name) =>
      services.get(`${namespace}/${name}`)?.object as unknown as Service | undefined,
  };
}
