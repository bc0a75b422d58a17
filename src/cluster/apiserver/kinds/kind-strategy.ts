import type { FeatureGates } from "../../../api/feature-gates.ts";
import type { FieldError } from "../../../api/field-error.ts";
import type { JsonObject } from "../../../api/json.ts";
import type { NameCheck } from "../../../api/names.ts";
import type { Instant } from "../../../api/time.ts";
import type { User } from "../auth/user.ts";
import { withMember } from "../../../api/defaulting.ts";

/** The input of a strategy besides the objects. */
export interface StrategyContext {
  readonly gates: FeatureGates;
  readonly now: Instant;
  /** Whose request it is; absent in tests of strategies that do not ask. */
  readonly requester?: User;
}

/** Two versions of an object, the incoming one and the stored one. */
export interface ObjectUpdate<T = JsonObject> {
  readonly next: T;
  readonly previous: T;
}

/** What a validation in steps is about; `previous` is absent at creation. */
export interface FurtherChange<T> {
  readonly next: T;
  readonly previous: T | undefined;
  /** Whether an update of `/status` is validated. */
  readonly isOfStatus?: boolean | undefined;
}

/** What a validation in steps found. */
export interface ValidationFindings {
  readonly errors: readonly FieldError[];
  /** Texts for `Warning` headers. */
  readonly warnings: readonly string[];
}

/**
 * The rules of a kind beyond its schema (upstream: registry strategy). All functions are pure: they take JSON that the
 * decoder has checked against the schema, and return new objects. A kind without a strategy is stored as decoded.
 */
export interface KindStrategy<T = JsonObject> {
  /** Checks `metadata.name`; a DNS subdomain by default. */
  readonly nameProblems?: NameCheck;
  /**
   * Fills in defaults. Idempotent; applied to every write before validation. `stored` is the version an update
   * replaces, or a new object before it got a generated name: parts that the object shares with it by reference have
   * their defaults.
   */
  readonly defaults?: (object: T, stored?: T) => T;
  /**
   * Drops the fields that clients may not set at creation and adds the fields that the server sets; name and UID are
   * set already.
   */
  readonly prepareForCreate?: (object: T, context: StrategyContext) => T;
  /** Does the same for an update of the main resource; `status` has already been reset to the stored one. */
  readonly prepareForUpdate?: (update: ObjectUpdate<T>, context: StrategyContext) => T;
  /** For `/status`: by default everything but `status` and metadata is reset to the stored object. */
  readonly prepareForStatusUpdate?: (update: ObjectUpdate<T>, context: StrategyContext) => T;
  /** `stored` is the version an update replaces: errors that it already has are tolerated. Absent at creation. */
  readonly validate?: (object: T, context: StrategyContext, stored?: T) => readonly FieldError[];
  /** Runs after `validate` of the new version. */
  readonly validateUpdate?: (update: ObjectUpdate<T>, context: StrategyContext) => readonly FieldError[];
  readonly validateStatusUpdate?: (
    update: ObjectUpdate<T>,
    context: StrategyContext,
  ) => readonly FieldError[];
  /** Texts for `Warning` headers about a new object as it was sent, which `prepareForCreate` changes. */
  readonly warningsAboutSent?: (object: T) => readonly string[];
  /** Texts for `Warning` headers on create and update; `stored` as in `validate`. */
  readonly warnings?: (object: T, context: StrategyContext, stored?: T) => readonly string[];
  /** Returns the field selector keys beyond `metadata.name` and `metadata.namespace`, with the object's values. */
  readonly selectableFields?: (object: T) => Readonly<Record<string, string>>;
  /**
   * Whether objects have an effect only if a component of the cluster acts on them; objects of other kinds are plain
   * data.
   */
  readonly needsComponent?: boolean;
  /** The changes that increment `metadata.generation`; absent if the kind has none. */
  readonly generation?: "spec" | "spec-and-annotations" | "template" | "content";
  /** Whether a PUT without a resourceVersion overwrites; otherwise it is refused. */
  readonly unconditionalUpdate?: boolean;
  /** Whether a PUT to a name that does not exist creates the object. */
  readonly createOnUpdate?: boolean;
  /** Whether DELETE answers with the object instead of a Status. */
  readonly returnsObjectOnDelete?: boolean;
  /** Whether a DELETE without a propagation policy orphans the dependents instead of deleting them. */
  readonly orphansByDefault?: boolean;
  /** A warning for a DELETE without a propagation policy. */
  readonly deleteWarning?: string;
  /** Whether the kind keeps the status it is created with. */
  readonly keepsStatusOnCreate?: boolean;
  /** Whether `status` is a field like others, which updates of the main resource write. */
  readonly ordinaryStatus?: boolean;
  /**
   * Checks an object further, in steps, after its other validation, whose errors are given: custom kinds do so by their
   * schemas and rules.
   */
  readonly validateFurther?: (
    change: FurtherChange<T>,
    errors: readonly FieldError[],
  ) => Generator<undefined, ValidationFindings>;
}

interface WithStatus {
  readonly metadata?: object;
  readonly status?: object;
}

/**
 * Returns the object after an update of `/status`: metadata and status are those of the new version, everything else is
 * as stored.
 */
export function statusUpdateOf<T extends WithStatus>({ next, previous }: ObjectUpdate<T>): T {
  return withMember(withMember(previous, "metadata", next.metadata), "status", next.status);
}
