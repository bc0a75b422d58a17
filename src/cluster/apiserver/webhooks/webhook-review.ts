import { deepEqual } from "../../../api/deep-equal.ts";
import type { JsonObject } from "../../../api/json.ts";
import { ApiError } from "../../../machinery/client/api-error.ts";
import { elapsedMs } from "../../../machinery/clock/clock.ts";
import { applyJsonPatch } from "../patch/json-patch.ts";
import type { AdmissionAttributes, ReviewedObjects } from "./admission-request.ts";
import { type Allowed, type AskDependencies, askWebhook, convertVersion } from "./ask-webhook.ts";
import type { WebhookInvocation, WebhookType } from "./webhook.ts";
import { nothingToPatch, webhookPatchFailed } from "./webhook-errors.ts";
import type { MatchingWebhooks } from "./webhook-index.ts";

/** An object that webhooks may change. */
export interface MutationReview extends ReviewedObjects {
  /** Runs the built-in plugins again, on an object that a webhook changed. */
  readonly reinvoke: (object: JsonObject) => JsonObject;
  /** Decodes a patched object and fills in its defaults; throws why it is not an object of the kind. */
  readonly complete: (object: JsonObject) => JsonObject;
}

/** The review of a request by webhooks, which takes longer than the turn of the call. */
export interface Review {
  /** The warnings so far. */
  readonly warnings: readonly string[];
  /** Returns the object as webhooks changed it; throws a denial. */
  mutate(mutation: MutationReview & { readonly object: JsonObject }): Promise<JsonObject>;
  /** Throws a denial of the object as it would be stored. */
  validate(objects: ReviewedObjects): Promise<void>;
  /** Runs both for an object that cannot be changed, such as one that is deleted. */
  check(objects: ReviewedObjects): Promise<void>;
}

/** What admission policies say about the objects of a request. */
export interface PolicyOutcome {
  readonly warnings: readonly string[];
  readonly denial?: ApiError | undefined;
}

/** Evaluates the admission policies that may match a request. */
export type PolicyCheck = (request: AdmissionAttributes, objects: ReviewedObjects) => Promise<PolicyOutcome>;

/** A request, and what its rules match: policies, webhooks, or both. */
export interface ReviewSubject {
  readonly request: AdmissionAttributes;
  readonly matching: MatchingWebhooks;
  readonly policies?: PolicyCheck | undefined;
}

/** Limits the time of a write with all its webhooks. */
const requestTimeoutMs = 34_000;

/** One request on its way through the webhooks and policies whose rules match it. */
export class WebhookReview implements Review {
  /** The warnings of webhooks so far. */
  readonly warnings: string[] = [];
  readonly #dependencies: AskDependencies;
  readonly #request: AdmissionAttributes;
  readonly #matching: MatchingWebhooks;
  readonly #policies: PolicyCheck | undefined;
  readonly #deadlineAt: number;

  constructor(dependencies: AskDependencies, { request, matching, policies }: ReviewSubject) {
    this.#dependencies = dependencies;
    this.#request = request;
    this.#matching = matching;
    this.#policies = policies;
    this.#deadlineAt = elapsedMs(dependencies.clock) + requestTimeoutMs;
  }

  /**
   * Lets the mutating webhooks change the object, one after the other. When one of them did, built-in plugins run
   * again, and so do, once, the webhooks that ask for it and saw an older version. Throws the denial or the failure of
   * a webhook.
   */
  async mutate(mutation: MutationReview & { readonly object: JsonObject }): Promise<JsonObject> {
    const { mutating } = this.#matching;
    if (mutating.length === 0) return mutation.object;
    return this.#step("mutating", () => this.#mutateTwice(mutating, mutation));
  }

  /**
   * Evaluates the admission policies, then calls all validating webhooks concurrently; throws the first denial or failure,
   * in their order.
   */
  async validate(objects: ReviewedObjects): Promise<void> {
    await this.#evaluatePolicies(objects);
    const { validating } = this.#matching;
    if (validating.length === 0) return;
    await this.#step("validating", async () => {
      const verdicts = validating.map((invocation) => this.#ask(invocation, objects));
      for (const settled of await Promise.allSettled(verdicts)) {
        if (settled.status === "rejected") throw settled.reason;
      }
    });
  }

  /** Calls all webhooks for an object that none of them can change, such as one that is deleted. */
  async check(objects: ReviewedObjects): Promise<void> {
    const { mutating } = this.#matching;
    if (mutating.length > 0)
      await this.#step("mutating", async () => {
        for (const invocation of mutating) {
          const verdict = await this.#ask(invocation, objects);
          if (verdict?.patch !== undefined) throw nothingToPatch(invocation.webhook.name);
        }
      });
    await this.validate(objects);
  }

  async #mutateTwice(
    mutating: readonly WebhookInvocation[],
    mutation: MutationReview & { readonly object: JsonObject },
  ): Promise<JsonObject> {
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

  async #runMutating(
    invocations: readonly WebhookInvocation[],
    mutation: MutationReview & { readonly object: JsonObject },
    progress: Progress,
  ): Promise<JsonObject> {
    let { object } = mutation;
    for (const invocation of invocations) {
      const { webhook } = invocation;
      if (progress.isReinvocation === true && !progress.outdated.has(webhook.id)) continue;
      const verdict = await this.#ask(invocation, { ...mutation, object });
      if (verdict === undefined) continue;
      const patched = await this.#patched(invocation, object, { verdict, mutation });
      if (!deepEqual(patched, object)) {
        object = patched;
        progress.changed = true;
        markOutdated(progress);
      }
      if (webhook.isReinvoked) progress.seen.add(webhook.id);
    }
    return object;
  }

  /** Returns the object as a webhook changed it, in the version of the request. */
  async #patched(
    { webhook, resource }: WebhookInvocation,
    object: JsonObject,
    { verdict, mutation }: { readonly verdict: Allowed; readonly mutation: MutationReview },
  ): Promise<JsonObject> {
    if (verdict.patch === undefined) return object;
    const own = this.#request.resource;
    const result = applyJsonPatch(await convertVersion(object, own, resource), verdict.patch);
    if (!result.ok) throw webhookPatchFailed(webhook.name, result.message);
    try {
      return mutation.complete(await convertVersion(result.value, resource, own));
    } catch (error) {
      // Decoding throws why the patched object is invalid.
      throw webhookPatchFailed(webhook.name, error instanceof Error ? error.message : String(error));
    }
  }

  #ask(invocation: WebhookInvocation, objects: ReviewedObjects): Promise<Allowed | undefined> {
    const warn = (warnings: readonly string[]) => this.#warn(warnings);
    const question = { ...objects, request: this.#request, deadlineAt: this.#deadlineAt, warn };
    return askWebhook(this.#dependencies, invocation, question);
  }

  async #evaluatePolicies(objects: ReviewedObjects): Promise<void> {
    if (this.#policies === undefined) return;
    const { warnings, denial } = await this.#policies(this.#request, objects);
    this.#warn(warnings);
    if (denial !== undefined) throw denial.withWarnings(this.warnings);
  }

  #warn(warnings: readonly string[]): void {
    this.warnings.push(...warnings.filter((each) => !this.warnings.includes(each)));
  }

  /** Measures a step of the review; an error that it throws gets the warnings so far. */
  async #step<T>(type: WebhookType, work: () => Promise<T>): Promise<T> {
    const { clock, metrics } = this.#dependencies;
    const startedAt = elapsedMs(clock);
    let rejected = true;
    try {
      const result = await work();
      rejected = false;
      return result;
    } catch (error) {
      throw error instanceof ApiError ? error.withWarnings(this.warnings) : error;
    } finally {
      const { operation } = this.#request;
      metrics.onStep({ type, operation, rejected, tookMs: elapsedMs(clock) - startedAt });
    }
  }
}

/** Tracks which webhooks have to be called again, because the object changed after they saw it. */
interface Progress {
  /** Webhooks that want to be called again, and have seen the newest version. */
  readonly seen: Set<string>;
  readonly outdated: Set<string>;
  changed: boolean;
  readonly isReinvocation?: boolean;
}

function markOutdated({ seen, outdated }: Progress): void {
  for (const id of seen) outdated.add(id);
  seen.clear();
}
