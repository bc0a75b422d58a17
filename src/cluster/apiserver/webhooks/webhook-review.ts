import { deepEqual } from "../../../api/deep-equal.ts";
import type { JsonObject } from "../../../api/json.ts";
import type { Logger } from "../../../machinery/log/logger.ts";
import { applyJsonPatch } from "../patch/json-patch.ts";
import type { ServedResource } from "../served-resource.ts";
import type { AdmissionRequest, ReviewedObjects } from "./admission-request.ts";
import type { Verdict } from "./admission-review.ts";
import { callWebhook, type WebhookCaller } from "./call-webhook.ts";
import { type NamespaceLabels, selectsObjects } from "./selects-objects.ts";
import type { Invocation } from "./webhook.ts";
import {
  deniedByWebhook,
  dryRunUnsupported,
  nothingToPatch,
  webhookFailed,
  webhookPatchFailed,
} from "./webhook-errors.ts";
import type { MatchingWebhooks } from "./webhook-index.ts";

/** What a review needs besides the request. */
export interface ReviewDependencies extends WebhookCaller {
  readonly log: Logger;
  readonly namespaceLabels: NamespaceLabels;
}

/** An object that webhooks may change. */
export interface Mutation extends ReviewedObjects {
  /** Runs the built-in plugins again, on an object that a webhook changed. */
  readonly reinvoke: (object: JsonObject) => JsonObject;
  /** Decodes a patched object and fills in its defaults; throws why it is no object of the kind. */
  readonly complete: (object: JsonObject) => JsonObject;
}

const withoutEffects: ReadonlySet<string> = new Set(["None", "NoneOnDryRun"]);

/** One request on its way through the webhooks whose rules match it. */
export class WebhookReview {
  /** What webhooks warned about so far. */
  readonly warnings: string[] = [];
  readonly #dependencies: ReviewDependencies;
  readonly #request: AdmissionRequest;
  readonly #matching: MatchingWebhooks;

  constructor(dependencies: ReviewDependencies, request: AdmissionRequest, matching: MatchingWebhooks) {
    this.#dependencies = dependencies;
    this.#request = request;
    this.#matching = matching;
  }

  /**
   * Lets the mutating webhooks change the object, one after the other. When one of them did, built-in plugins run again,
   * and so do, once, the webhooks that ask for it and saw an older version. Throws the denial, or the failure of a webhook.
   */
  async mutate(mutation: Mutation & { readonly object: JsonObject }): Promise<JsonObject> {
    const { mutating } = this.#matching;
    if (mutating.length === 0) return mutation.object;
    const progress: Progress = { seen: new Set(), outdated: new Set(), changed: false };
    const once = await this.#runMutating(mutating, mutation, progress);
    if (!progress.changed) return once;
    const again = mutation.reinvoke(once);
    if (!deepEqual(again, once)) markOutdated(progress);
    return this.#runMutating(
      mutating.filter(({ webhook }) => webhook.isReinvoked),
      { ...mutation, object: again },
      { ...progress, isReinvocation: true },
    );
  }

  /** Asks all validating webhooks at once; throws the first denial or failure, in their order. */
  async validate(objects: ReviewedObjects): Promise<void> {
    const verdicts = this.#matching.validating.map((invocation) => this.#ask(invocation, objects));
    for (const settled of await Promise.allSettled(verdicts)) {
      if (settled.status === "rejected") throw settled.reason;
    }
  }

  /** Asks all webhooks about an object that none of them can change, such as one that is deleted. */
  async check(objects: ReviewedObjects): Promise<void> {
    for (const invocation of this.#matching.mutating) {
      const verdict = await this.#ask(invocation, objects);
      if (verdict?.patch !== undefined) throw nothingToPatch(invocation.webhook.name);
    }
    await this.validate(objects);
  }

  async #runMutating(
    invocations: readonly Invocation[],
    mutation: Mutation & { readonly object: JsonObject },
    progress: Progress,
  ): Promise<JsonObject> {
    let { object } = mutation;
    for (const invocation of invocations) {
      const { webhook } = invocation;
      if (progress.isReinvocation === true && !progress.outdated.has(webhook.id)) continue;
      const verdict = await this.#ask(invocation, { ...mutation, object });
      if (verdict === undefined) continue;
      const patched = this.#patched(invocation, object, { verdict, mutation });
      if (!deepEqual(patched, object)) {
        object = patched;
        progress.changed = true;
        markOutdated(progress);
      }
      if (webhook.isReinvoked) progress.seen.add(webhook.id);
    }
    return object;
  }

  /** The object as a webhook changed it, in the version of the request. */
  #patched(
    { webhook, resource }: Invocation,
    object: JsonObject,
    { verdict, mutation }: { readonly verdict: Allowed; readonly mutation: Mutation },
  ): JsonObject {
    if (verdict.patch === undefined) return object;
    const own = this.#request.resource;
    const result = applyJsonPatch(convert(object, own, resource), verdict.patch);
    if (!result.ok) throw webhookPatchFailed(webhook.name, result.message);
    try {
      return mutation.complete(convert(result.value, resource, own));
    } catch (error) {
      throw webhookPatchFailed(webhook.name, error instanceof Error ? error.message : String(error));
    }
  }

  /** The verdict of a webhook that allows the request; `undefined` when it was not asked, or failed and may fail. */
  async #ask(invocation: Invocation, objects: ReviewedObjects): Promise<Allowed | undefined> {
    const { webhook, resource } = invocation;
    const own = this.#request.resource;
    const request = { ...this.#request, ...objects };
    if (!selectsObjects(webhook, request, this.#dependencies.namespaceLabels)) return undefined;
    if (this.#request.dryRun && !withoutEffects.has(webhook.sideEffects))
      throw dryRunUnsupported(webhook.name);
    const verdict = await callWebhook(this.#dependencies, invocation, {
      ...request,
      object: objects.object && convert(objects.object, own, resource),
      oldObject: objects.oldObject && convert(objects.oldObject, own, resource),
    });
    return this.#judged(invocation, verdict);
  }

  #judged({ webhook }: Invocation, verdict: Verdict): Allowed | undefined {
    const { name } = webhook;
    switch (verdict.kind) {
      case "allowed":
        this.warnings.push(...verdict.warnings.filter((each) => !this.warnings.includes(each)));
        return verdict;
      case "denied":
        throw deniedByWebhook(name, verdict.status);
      case "bad-patch":
        throw webhookPatchFailed(name, verdict.why);
      case "invalid":
        if (!webhook.failsOpen) throw webhookFailed(name, verdict.why);
        this.#dependencies.log.warn("failed calling webhook, failing open", {
          webhook: name,
          why: verdict.why,
        });
        return undefined;
    }
  }
}

type Allowed = Extract<Verdict, { readonly kind: "allowed" }>;

/** Which webhooks have to be asked again, because what they saw is no longer what is stored. */
interface Progress {
  /** Webhooks that want to be asked again, and have seen the newest version. */
  readonly seen: Set<string>;
  readonly outdated: Set<string>;
  changed: boolean;
  readonly isReinvocation?: boolean;
}

function markOutdated({ seen, outdated }: Progress): void {
  for (const id of seen) outdated.add(id);
  seen.clear();
}

/** An object in another version of its resource. */
function convert(object: JsonObject, from: ServedResource, to: ServedResource): JsonObject {
  if (from === to) return object;
  const stored = from.conversion?.toStorage(object) ?? object;
  return to.conversion?.fromStorage(stored) ?? stored;
}
