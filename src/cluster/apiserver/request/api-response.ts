import type { ListMeta, Status } from "../../../api/generated/meta-v1.ts";
import type { JsonObject } from "../../../api/json.ts";
import type { ServedResource } from "../served-resource.ts";
import type { ServedObject } from "../storage/served-object.ts";
import type { WatchStream } from "../watch/watch-stream.ts";

/** What the API answers when it does not fail; a failure is a thrown `ApiError`. */
export type ApiResponse = Answer & {
  /** Texts for `Warning` headers. */
  readonly warnings?: readonly string[];
};

type Answer =
  | {
      readonly kind: "object";
      readonly code: 200 | 201 | 202;
      readonly item: ServedObject;
      /** The object was removed by this request, and the answer is its last state. */
      readonly removed?: boolean;
    }
  /** Something that is not stored: a review, a Scale. */
  | { readonly kind: "value"; readonly code: 200 | 201; readonly value: JsonObject }
  | {
      readonly kind: "list";
      readonly resource: ServedResource;
      readonly items: readonly ServedObject[];
      readonly metadata: ListMeta;
    }
  | { readonly kind: "watch"; readonly resource: ServedResource; readonly stream: WatchStream }
  | { readonly kind: "status"; readonly code: 200 | 201; readonly status: Status };

/** The answer to a POST that makes something happen and has no object to show for it. */
export const successStatus: ApiResponse = {
  kind: "status",
  code: 201,
  status: { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", code: 201 },
};
