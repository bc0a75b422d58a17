import type { JsonObject } from "../../../api/json.ts";
import { decodePatched, type ExpectedKind } from "../decoding/decode-body.ts";
import type { Review } from "./webhook-review.ts";

/** Lets webhooks change and check the body of a subresource that is not stored, such as a Binding. */
export async function reviewBody(
  review: Review,
  body: JsonObject,
  expected: ExpectedKind,
): Promise<JsonObject> {
  const { apiVersion, kind } = expected;
  const object = await review.mutate({
    object: { ...(apiVersion !== undefined && { apiVersion }), kind, ...body },
    reinvoke: (changed) => changed,
    complete: (patched) => decodePatched(patched, expected, body),
  });
  await review.validate({ object });
  return object;
}
