import { type FieldFacts, schemaTable } from "./table.ts";

/** Whether a member holds one value, a list or a map of it. */
export type Form = "single" | "list" | "map";

/** One JSON member of a type, ready for decoding. */
export interface Member {
  readonly name: string;
  /** Its place in `Shape.members`. */
  readonly index: number;
  readonly form: Form;
  /** The type of its value or values: plain scalar, name in `scalars`, or name in `types`. */
  readonly type: string;
  /** Absent and zero differ, so a zero is kept. */
  readonly pointer: boolean;
  /** Kubernetes writes it even when it is empty. */
  readonly always: boolean;
  /** Its entry in the schema table. */
  readonly facts: FieldFacts;
}

/** The meaning of a protobuf field number: a member, or a message whose members are inlined into the type. */
export type WireEntry =
  | { readonly kind: "member"; readonly member: Member }
  | { readonly kind: "inlined"; readonly entries: WireEntries };
export type WireEntries = ReadonlyMap<number, WireEntry>;

/** A type with its inlined members in place, in the order Kubernetes writes them. */
export interface Shape {
  readonly type: string;
  readonly members: readonly Member[];
  readonly byName: ReadonlyMap<string, Member>;
  readonly byWire: WireEntries;
}

const shapes = new Map<string, Shape>();

/** Returns the shape of a type, or of the protobuf message of a scalar, and caches it; `undefined` for anything else. */
export function shapeOf(type: string): Shape | undefined {
  const known = shapes.get(type);
  if (known !== undefined) return known;
  const { types, scalars } = schemaTable();
  const fields = types.get(type)?.fields ?? scalars.get(type)?.message;
  if (fields === undefined) return undefined;
  const members: Member[] = [];
  const byWire = collect(fields, members);
  const shape = { type, members, byName: new Map(members.map((member) => [member.name, member])), byWire };
  shapes.set(type, shape);
  return shape;
}

function collect(fields: Readonly<Record<string, FieldFacts>>, members: Member[]): WireEntries {
  const byWire = new Map<number, WireEntry>();
  for (const [name, facts] of Object.entries(fields)) {
    const entry = facts.inline === true ? inlined(facts, members) : added(name, facts, members);
    if (facts.wire !== undefined) byWire.set(facts.wire, entry);
  }
  return byWire;
}

function inlined(facts: FieldFacts, members: Member[]): WireEntry {
  const fields = schemaTable().types.get(facts.type ?? "")?.fields ?? {};
  return { kind: "inlined", entries: collect(fields, members) };
}

function added(name: string, facts: FieldFacts, members: Member[]): WireEntry {
  const pointer = facts.pointer === true;
  const member: Member = {
    name,
    index: members.length,
    ...valueOf(facts),
    pointer,
    always: !pointer && (facts.always === true || facts.required === true),
    facts,
  };
  members.push(member);
  return { kind: "member", member };
}

/** The form of a field and the type of its value or values. */
export function valueOf(facts: FieldFacts): { readonly form: Form; readonly type: string } {
  if (facts.list !== undefined) return { form: "list", type: facts.list };
  if (facts.map !== undefined) return { form: "map", type: facts.map };
  return { form: "single", type: facts.type ?? "" };
}
