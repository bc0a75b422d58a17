import type { Dispatcher } from "undici";
import { parsePickerAnswer } from "../decisions/downscale/picker-answer.ts";
import { permanentFailure, transientFailure, type PickerFailure } from "./picker-failure.ts";
import { maxAnswerBytes, type AttemptResult } from "./transport.ts";

/** Reads what a picker sent back; rejects when the connection breaks meanwhile, or more comes than the client takes. */
export async function readHttpResponse(
  response: Dispatcher.ResponseData,
  candidates: Iterable<string>,
): Promise<AttemptResult> {
  response.body.on("error", () => undefined); // heard by whoever reads it, if anybody still does
  const refused = refusalOf(response);
  if (refused !== undefined) return refused;
  const bytes = new Uint8Array(await response.body.arrayBuffer());
  return { kind: "answered", answer: parsePickerAnswer(bytes, candidates) };
}

const passingCodes: ReadonlySet<number> = new Set([408, 425, 429]);

/** What is wrong with an answer, as far as its headers tell. */
function refusalOf({ statusCode, headers }: Dispatcher.ResponseData): PickerFailure | undefined {
  if (statusCode !== 200) return refusedWith(statusCode, headerOf(headers, "retry-after"));
  const encoding = headerOf(headers, "content-encoding").toLowerCase();
  if (encoding !== "" && encoding !== "identity") return transientFailure("Malformed");
  return Number(headerOf(headers, "content-length")) > maxAnswerBytes
    ? permanentFailure("TooLarge")
    : undefined;
}

function refusedWith(statusCode: number, again: string): PickerFailure {
  const code = `HTTP ${statusCode}`;
  if (statusCode >= 300 && statusCode < 400) return permanentFailure("Redirected", { code });
  if (statusCode < 500 && !passingCodes.has(statusCode)) return permanentFailure("Refused", { code });
  return transientFailure("Refused", { code, ...retryAfter(again) });
}

function headerOf(headers: Dispatcher.ResponseData["headers"], name: string): string {
  return [headers[name] ?? []].flat().join(", ");
}

function retryAfter(seconds: string): { readonly retryAfterMs?: number } {
  return /^\d{1,6}$/.test(seconds) ? { retryAfterMs: Number(seconds) * 1000 } : {};
}
