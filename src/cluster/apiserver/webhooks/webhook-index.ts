import type {
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
} from "../../../api/generated/admissionregistration-v1.ts";
import type { Collection, Store } from "../../store/store.ts";
import type { ServedResource } from "../served-resource.ts";
import type { ServedResources } from "../kind-registry.ts";
import type { AdmissionOperation } from "./admission-request.ts";
import { matchesAnyRule } from "./match-rules.ts";
import { compileWebhook, type WebhookInvocation, type Webhook, type WebhookType } from "./webhook.ts";

/** The webhooks whose rules match, in the order in which they are called. */
export interface MatchingWebhooks {
  readonly mutating: readonly WebhookInvocation[];
  readonly validating: readonly WebhookInvocation[];
}

/** The operation of a request, and its resource. */
export interface IndexedRequest {
  readonly operation: AdmissionOperation;
  readonly resource: ServedResource;
  readonly subresource: string;
}

/** The stored webhooks by resource, subresource and operation. */
export interface WebhookIndex {
  /** Returns the webhooks whose rules match, in constant time; `undefined` when there are none. */
  find(request: IndexedRequest): MatchingWebhooks | undefined;
  close(): void;
}

const collections: Readonly<Record<WebhookType, string>> = {
  mutating: "mutatingwebhookconfigurations.admissionregistration.k8s.io",
  validating: "validatingwebhookconfigurations.admissionregistration.k8s.io",
};

/** The collections of webhook configurations. */
export const configurations: ReadonlySet<string> = new Set(Object.values(collections));

/**
 * The group of webhook configurations, which are never sent to webhooks, so that a broken webhook can always be
 * removed.
 */
const exemptGroup = "admissionregistration.k8s.io";

/** Indexes the webhook configurations of a store, and keeps the index up to date. */
export function indexWebhooks(store: Store, resources: ServedResources): WebhookIndex {
  const mutating = store.collection(collections.mutating);
  const validating = store.collection(collections.validating);
  let all: readonly Webhook[] = [];
  // Weak, because a handler may create a resource for one request.
  let found = new WeakMap<ServedResource, Map<string, MatchingWebhooks | undefined>>();
  const read = () => {
    all = [...webhooksOf("mutating", mutating), ...webhooksOf("validating", validating)];
    found = new WeakMap();
  };
  read();
  const unsubscribe = [mutating, validating].map((collection) => collection.subscribe({ of: "all" }, read));
  return {
    find({ operation, resource, subresource }) {
      if (all.length === 0 || resource.group === exemptGroup) return undefined;
      let ofResource = found.get(resource);
      if (ofResource === undefined) found.set(resource, (ofResource = new Map()));
      const key = `${operation} ${subresource}`;
      if (!ofResource.has(key)) {
        const equivalents = resources.sharing(resource.collection);
        ofResource.set(key, matching(all, { operation, resource, subresource }, equivalents));
      }
      return ofResource.get(key);
    },
    close: () => unsubscribe.forEach((stop) => stop()),
  };
}

/** Returns the webhooks of all configurations of a kind, ordered by name. */
function webhooksOf(type: WebhookType, collection: Collection): readonly Webhook[] {
  return [...collection.records()].flatMap(({ object }) => {
    // A collection holds only objects of its resource.
    const { metadata, webhooks = [] } = object as unknown as
      | MutatingWebhookConfiguration
      | ValidatingWebhookConfiguration;
    return webhooks.map((webhook) => compileWebhook(type, metadata.name, webhook));
  });
}

function matching(
  webhooks: readonly Webhook[],
  request: IndexedRequest,
  equivalents: readonly ServedResource[],
): MatchingWebhooks | undefined {
  const invocations = webhooks.flatMap((webhook) => invocationOf(webhook, request, equivalents) ?? []);
  if (invocations.length === 0) return undefined;
  return {
    mutating: invocations.filter(({ webhook }) => webhook.type === "mutating"),
    validating: invocations.filter(({ webhook }) => webhook.type === "validating"),
  };
}

/** Returns the resource itself where a rule matches it, otherwise another version of it. */
function invocationOf(
  webhook: Webhook,
  request: IndexedRequest,
  equivalents: readonly ServedResource[],
): WebhookInvocation | undefined {
  const { resource: own } = request;
  const candidates = webhook.isExact ? [own] : [own, ...equivalents.filter((each) => each !== own)];
  const resource = candidates.find((each) => matchesAnyRule(webhook.rules, { ...request, resource: each }));
  return resource === undefined ? undefined : { webhook, resource };
}
