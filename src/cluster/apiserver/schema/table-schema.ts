import type { Json, JsonObject } from "../../../api/json.ts";
import { type DecodedObject, decodeObject } from "../../../api/schema/decode-object.ts";
import { equalField, semanticEqual } from "../../../api/schema/semantic-equality.ts";
import { shapeOf } from "../../../api/schema/shape.ts";
import { schemaTable } from "../../../api/schema/table.ts";
import { zeroValue } from "../../../api/schema/zero-value.ts";
import { type FieldStructure, structureOf, withoutUntracked } from "../managed-fields/field-structure.ts";
import { type MergeRule, mergeRuleOf } from "../patch/merge-rule.ts";
import type { KindSchema } from "./kind-schema.ts";

const known = new Map<string, KindSchema>();

/** Returns the schema of a type in the schema table; it is built once, and its parts when they are first read. */
export function tableSchema(type: string): KindSchema {
  const made = known.get(type) ?? new TableSchema(type);
  known.set(type, made);
  return made;
}

class TableSchema implements KindSchema {
  readonly type: string;
  #structure: FieldStructure | undefined;
  #trackedStructure: FieldStructure | undefined;

  constructor(type: string) {
    this.type = type;
  }

  decode(value: Json, before?: JsonObject): DecodedObject {
    return decodeObject(this.type, value, before);
  }

  isSame(left: JsonObject, right: JsonObject): boolean {
    return semanticEqual(this.type, left, right);
  }

  isSameIn(field: string, left: JsonObject, right: JsonObject): boolean {
    return equalField(this.type, [left, right], field);
  }

  get zero(): JsonObject {
    return zeroValue(this.type);
  }

  /** The members of `status` that upstream writes from the start. */
  get initialStatus(): JsonObject | undefined {
    const status = shapeOf(this.type)?.byName.get("status");
    return status?.always === true ? zeroValue(status.type) : undefined;
  }

  /** The fields of the spec that Kubernetes does not have. */
  get extensionFields(): readonly string[] {
    const { types } = schemaTable();
    const spec = types.get(this.type)?.fields["spec"]?.type ?? "";
    const fields = types.get(spec)?.fields ?? {};
    return Object.keys(fields).filter((name) => fields[name]?.ours === true);
  }

  get structure(): FieldStructure {
    return (this.#structure ??= structureOf(this.type));
  }

  get trackedStructure(): FieldStructure {
    return (this.#trackedStructure ??= withoutUntracked(this.structure));
  }

  get mergeRule(): MergeRule {
    return mergeRuleOf(this.type);
  }
}
