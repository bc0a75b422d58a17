import type { FeatureGates } from "../feature-gates.ts";
import type { FieldError } from "../field-error.ts";
import type { JsonObject } from "../json.ts";
import type { NameCheck } from "../names.ts";
import type { Instant } from "../time.ts";
import { withMember } from "./defaulting.ts";

/** What the manners of a kind may know about the moment. */
export interface StrategyContext {
  readonly gates: FeatureGates;
  readonly now: Instant;
}

/** Two versions of an object, the incoming one and the stored one. */
export interface ObjectUpdate<T = JsonObject> {
  readonly next: T;
  readonly previous: T;
}

/**
 * What a kind does beyond what the schema says, all of it pure: objects come in as JSON that has the kind's types,
 * and go out as new objects. A kind without manners is stored as its schema allows.
 */
export interface KindStrategy<T = JsonObject> {
  /** What `metadata.name` may be; a DNS subdomain by default. */
  readonly nameProblems?: NameCheck;
  /** Fills in defaults. Idempotent; applied to every write before validation. */
  readonly defaults?: (object: T) => T;
  /** Takes away what a client may not set at creation and adds what the server owns. */
  readonly prepareForCreate?: (object: T, context: StrategyContext) => T;
  /** The same for an update of the main resource; `status` has already been put back to the stored one. */
  readonly prepareForUpdate?: (update: ObjectUpdate<T>, context: StrategyContext) => T;
  /** For `/status`: by default everything but `status` and metadata is put back to the stored object. */
  readonly prepareForStatusUpdate?: (update: ObjectUpdate<T>, context: StrategyContext) => T;
  /** `stored` is the version an update replaces: what was already wrong there may stay. Absent at creation. */
  readonly validate?: (object: T, context: StrategyContext, stored?: T) => readonly FieldError[];
  /** Runs after `validate` of the new version. */
  readonly validateUpdate?: (update: ObjectUpdate<T>, context: StrategyContext) => readonly FieldError[];
  readonly validateStatusUpdate?: (
    update: ObjectUpdate<T>,
    context: StrategyContext,
  ) => readonly FieldError[];
  /** Texts for `Warning` headers on create and update; `stored` as for `validate`. */
  readonly warnings?: (object: T, context: StrategyContext, stored?: T) => readonly string[];
  /** Field selector keys beyond `metadata.name` and `metadata.namespace`, with the object's values. */
  readonly selectableFields?: (object: T) => Readonly<Record<string, string>>;
  /** What makes `metadata.generation` grow; absent means the kind has none. */
  readonly generation?: "spec" | "spec-and-annotations";
  /** A PUT without a resourceVersion overwrites; otherwise it is refused. */
  readonly unconditionalUpdate?: boolean;
  /** A PUT to a name that does not exist creates it. */
  readonly createOnUpdate?: boolean;
  /** DELETE answers with the object instead of a Status. */
  readonly returnsObjectOnDelete?: boolean;
  /** The kind keeps the status it is created with. */
  readonly keepsStatusOnCreate?: boolean;
}

interface WithStatus {
  readonly metadata?: object;
  readonly status?: object;
}

/** What `/status` may change: metadata and status are those of the new version, everything else is as stored. */
export function statusUpdateOf<T extends WithStatus>({ next, previous }: ObjectUpdate<T>): T {
  return withMember(withMember(previous, "metadata", next.metadata), "status", next.status);
}
