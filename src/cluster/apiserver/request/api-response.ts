import type { ListMeta, Status } from "../../../api/generated/meta-v1.ts";
import type { JsonObject } from "../../../api/json.ts";
import type { ServedResource } from "../served-resource.ts";
import type { ServedObject } from "../storage/served-object.ts";
import type { WatchEvents } from "../watch/watch-stream.ts";

/** The response to a successful request; a failed one throws an `ApiError`. */
export type ApiResponse = Answer & {
  /** The texts of `Warning` headers. */
  readonly warnings?: readonly string[];
};

type Answer =
  | {
      readonly kind: "object";
      readonly code: 200 | 201 | 202;
      readonly item: ServedObject;
      /** Whether this request removed the object, whose last state this is. */
      readonly removed?: boolean;
    }
  /** An object that is not stored: a review, a Scale. */
  | { readonly kind: "value"; readonly code: 200 | 201; readonly value: JsonObject }
  | {
      readonly kind: "list";
      readonly resource: ServedResource;
      readonly items: readonly ServedObject[];
      readonly metadata: ListMeta;
    }
  /** A response that is not an object: a log. */
  | { readonly kind: "text"; readonly text: string }
  /** The response of a proxied program. */
  | { readonly kind: "raw"; readonly code: number; readonly contentType: string; readonly bytes: Uint8Array }
  /** A text that grows until its end: a followed log. */
  | { readonly kind: "text-stream"; readonly texts: AsyncIterable<string> }
  | { readonly kind: "watch"; readonly resource: ServedResource; readonly stream: WatchEvents }
  | { readonly kind: "status"; readonly code: 200 | 201; readonly status: Status };

/** The response to a binding or an eviction, which return no object. */
export const successStatus: ApiResponse = {
  kind: "status",
  code: 201,
  status: { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", code: 201 },
};
