import { humanDuration } from "../../../api/human-duration.ts";
import type { ObjectMeta } from "../../../api/generated/meta-v1.ts";
import { type Instant, parseTime } from "../../../api/time.ts";
import { unknown } from "./cell-text.ts";

/** How long ago an object was created, as kubectl says it. */
export function ageOf(object: { readonly metadata: ObjectMeta }, now: Instant): string {
  return ageSince(parseTime(object.metadata.creationTimestamp), now);
}

/** How long ago an instant was; `<unknown>` when there is none. */
export function ageSince(instant: Instant | undefined, now: Instant): string {
  return instant === undefined ? unknown : humanDuration(now - instant);
}
