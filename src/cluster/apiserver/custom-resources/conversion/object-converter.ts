import type { CustomResourceDefinition } from "../../../../api/generated/apiextensions-v1.ts";
import type { JsonObject } from "../../../../api/json.ts";
import { messageOf } from "../../../../api/message-of.ts";
import { apiVersionOf } from "../../../../api/resource.ts";
import type { ApiError } from "../../../../machinery/client/api-error.ts";
import type { Clock } from "../../../../machinery/clock/clock.ts";
import { newUid } from "../../../../machinery/random/identifiers.ts";
import type { Random } from "../../../../machinery/random/random.ts";
import { statusError } from "../../status-error.ts";
import { replyFailure } from "../../webhooks/call-webhook.ts";
import type { WebhookTransport } from "../../webhooks/webhook-transport.ts";
import { checkConverted } from "./check-converted.ts";
import {
  type ConversionResult,
  conversionFailed,
  readConversion,
  reviewText,
  reviewVersionOf,
  type SentReview,
} from "./conversion-review.ts";

/** Returns an object of a custom kind in another version, `apiVersion` included. The object must not be changed. */
export type ConversionFunction = (
  object: JsonObject,
  desiredApiVersion: string,
) => JsonObject | Promise<JsonObject>;

/** Conversion functions by the names of definitions, such as `foos.example.com`: they are called instead of webhooks. */
export type ConversionFunctions = Readonly<Record<string, ConversionFunction>>;

/** How the objects of custom kinds are converted whose definitions say `strategy: Webhook`. */
export interface ConversionOptions {
  readonly transport: WebhookTransport;
  readonly clock: Clock;
  readonly random: Random;
  readonly functions: ConversionFunctions;
}

/** Converts an object to another version; throws 500 when that fails. */
export type ConvertObject = (object: JsonObject, version: string) => Promise<JsonObject>;

const timeoutSeconds = 30;

/** Returns how the objects of a definition are converted; `undefined` when versions differ in nothing but their name. */
export function objectConverter(
  options: ConversionOptions,
  { metadata, spec }: CustomResourceDefinition,
): ConvertObject | undefined {
  const { strategy, webhook } = spec.conversion ?? { strategy: "None" };
  if (strategy !== "Webhook") return undefined;
  const { group } = spec;
  const given = options.functions[metadata.name];
  return async (object, version) => {
    const desired = apiVersionOf({ group, version });
    const result =
      given === undefined
        ? await callWebhook(options, webhook, { object, desired })
        : await callFunction(given, { object, desired });
    if (!result.ok) throw conversionError(result.why);
    return result.object;
  };
}

/** 500: an object could not be converted. */
function conversionError(message: string): ApiError {
  return statusError({ code: 500, reason: "", message });
}

type Wanted = Pick<SentReview, "object" | "desired">;

async function callFunction(convert: ConversionFunction, wanted: Wanted): Promise<ConversionResult> {
  const { object, desired } = wanted;
  const failed = (why: string): ConversionResult => ({ ok: false, why: conversionFailed(object, why) });
  try {
    const checked = checkConverted(wanted, await convert(object, desired));
    return checked.ok ? checked : failed(`the function returned ${checked.why}`);
  } catch (error) {
    // The function is a user's.
    return failed(messageOf(error));
  }
}

type Webhook = NonNullable<NonNullable<CustomResourceDefinition["spec"]["conversion"]>["webhook"]>;

async function callWebhook(
  { transport, clock, random }: ConversionOptions,
  webhook: Webhook | undefined,
  wanted: Wanted,
): Promise<ConversionResult> {
  const { conversionReviewVersions = [], clientConfig } = webhook ?? {};
  const reviewVersion = reviewVersionOf(conversionReviewVersions);
  const failed = (why: string) => ({ ok: false as const, why: conversionFailed(wanted.object, why) });
  if (reviewVersion === undefined || clientConfig === undefined)
    return failed("no supported conversion review versions");
  const sent: SentReview = { ...wanted, uid: newUid(random), reviewVersion };
  const deadline = new AbortController();
  const timer = clock.after(timeoutSeconds * 1000, () => deadline.abort());
  try {
    const reply = await transport.call({
      clientConfig,
      body: reviewText(sent),
      timeoutSeconds,
      signal: deadline.signal,
    });
    const failure = replyFailure(reply);
    if (failure !== undefined) return failed(failure);
    return readConversion(sent, reply.ok ? reply.body : "");
  } finally {
    timer.cancel();
  }
}
