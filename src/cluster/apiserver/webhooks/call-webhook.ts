import type { Clock } from "../../../machinery/clock/clock.ts";
import type { Random } from "../../../machinery/random/random.ts";
import { newUid } from "../../../machinery/random/identifiers.ts";
import {
  admissionReview,
  readVerdict,
  type ReviewedRequest,
  type WebhookVerdict,
} from "./admission-review.ts";
import type { WebhookInvocation } from "./webhook.ts";
import type { WebhookReply, WebhookTransport } from "./webhook-transport.ts";

/** The dependencies of a webhook call. */
export interface WebhookCaller {
  readonly clock: Clock;
  readonly random: Random;
  readonly transport: WebhookTransport;
}

/** A request to review, and how many milliseconds are left for it. */
export type TimedRequest = ReviewedRequest & { readonly leftMs: number };

/** Sends a request to a webhook and reads its verdict; never rejects. */
export async function callWebhook(
  { clock, random, transport }: WebhookCaller,
  invocation: WebhookInvocation,
  request: TimedRequest,
): Promise<WebhookVerdict> {
  const { webhook } = invocation;
  const { clientConfig } = webhook;
  const timeoutMs = Math.min(webhook.timeoutSeconds * 1000, request.leftMs);
  const timeoutSeconds = Math.ceil(timeoutMs / 1000);
  const uid = newUid(random);
  const body = JSON.stringify(admissionReview(request, invocation, uid));
  const deadline = new AbortController();
  const timer = clock.after(timeoutMs, () => deadline.abort());
  try {
    const reply = await transport.call({ clientConfig, body, timeoutSeconds, signal: deadline.signal });
    const failure = replyFailure(reply);
    if (failure !== undefined) return { kind: "invalid", why: `failed to call webhook: ${failure}` };
    return readVerdict(reply.ok ? reply.body : "", webhook.type, uid);
  } finally {
    timer.cancel();
  }
}

const shownCharacters = 500;

/** Returns why a reply is malformed; `undefined` when it is well-formed. */
export function replyFailure(reply: WebhookReply): string | undefined {
  if (!reply.ok) return reply.why;
  const { statusCode, body } = reply;
  if (statusCode >= 200 && statusCode < 300) return undefined;
  if (statusCode >= 300 && statusCode < 400)
    return `the webhook answered with a redirect (${statusCode}), which is not followed`;
  if (statusCode === 404) return "the server could not find the requested resource";
  const text = body.trim().slice(0, shownCharacters);
  const shown = text === "" ? "unknown" : text;
  return statusCode >= 500
    ? `an error on the server (${JSON.stringify(shown)}) has prevented the request from succeeding`
    : `the server rejected our request with ${statusCode} (${JSON.stringify(shown)})`;
}
