import type { WebhookClientConfig } from "../../../api/generated/admissionregistration-v1.ts";

/** One call of a webhook. */
export interface WebhookCall {
  readonly clientConfig: WebhookClientConfig;
  /** The AdmissionReview as JSON. */
  readonly body: string;
  /** Sent to the webhook, so that it can answer in time. */
  readonly timeoutSeconds: number;
  /** Aborts when the timeout has passed. */
  readonly signal: AbortSignal;
}

/** A response of any status, or why there is none. */
export type WebhookReply =
  | { readonly ok: true; readonly statusCode: number; readonly body: string }
  | { readonly ok: false; readonly why: string };

/** Calls webhooks; never rejects. */
export interface WebhookTransport {
  call(call: WebhookCall): Promise<WebhookReply>;
  close?(): Promise<void>;
}

/** The transport of a cluster in virtual time, where waiting for a real network would make runs differ. */
export const noWebhookCalls: WebhookTransport = {
  call: async () => ({ ok: false, why: "webhooks are not supported in virtual time" }),
};
