import { type CelType, dyn, mapParts, partsOf } from "../types/cel-type.ts";

/** What type parameters stand for; grows while an expression is checked. */
export class Substitutions {
  readonly #types = new Map<string, CelType>();
  /** What the running comparison has changed, to take it back if the types do not fit. */
  readonly #changes: { readonly name: string; readonly before: CelType | undefined }[] = [];
  #made = 0;

  /** Makes a parameter that nothing else uses. */
  fresh(): CelType {
    const name = `_var${this.#made}`;
    this.#made += 1;
    return { kind: "parameter", name };
  }

  /** Reports whether values of types can be where others are expected; learns what parameters are then. */
  areAssignable(given: readonly CelType[], wanted: readonly CelType[]): boolean {
    this.#changes.length = 0;
    const isPossible =
      given.length === wanted.length &&
      given.every((type, index) => this.#isAssignable(type, wanted[index] ?? dyn));
    if (!isPossible) this.#takeBack();
    return isPossible;
  }

  #takeBack(): void {
    for (const { name, before } of this.#changes.toReversed()) {
      if (before === undefined) this.#types.delete(name);
      else this.#types.set(name, before);
    }
  }

  #set(name: string, type: CelType): void {
    this.#changes.push({ name, before: this.#types.get(name) });
    this.#types.set(name, type);
  }

  isAssignable(given: CelType, wanted: CelType): boolean {
    return this.areAssignable([given], [wanted]);
  }

  /** Replaces parameters by what they stand for; the others by `dyn`, if that is asked. */
  resolve(type: CelType, options: { readonly rest?: "dyn" } = {}): CelType {
    if (type.kind === "parameter") {
      const known = this.#types.get(type.name);
      if (known !== undefined) return this.resolve(known, options);
      return options.rest === "dyn" ? dyn : type;
    }
    if (type.kind === "type")
      return type.of === undefined ? type : { ...type, of: this.resolve(type.of, options) };
    return mapParts(type, (part) => this.resolve(part, options));
  }

  #isAssignable(given: CelType, wanted: CelType): boolean {
    if (wanted.kind === "parameter") {
      const isKnown = this.#types.has(wanted.name);
      if (this.#substitute(given, wanted)) return true;
      if (isKnown) return false;
    }
    if (given.kind === "parameter") return this.#substitute(wanted, given);
    if (isOpen(given) || isOpen(wanted)) return true;
    if (given.kind === "null") return isNullable(wanted);
    if (wanted.kind === "null") return isNullable(given);
    return isSameConstructor(given, wanted) && this.#areAssignableParts(given, wanted);
  }

  #areAssignableParts(given: CelType, wanted: CelType): boolean {
    const others = partsOf(wanted);
    return partsOf(given).every((part, index) => this.#isAssignable(part, others[index] ?? dyn));
  }

  #substitute(type: CelType, { name }: { readonly name: string }): boolean {
    if (type.kind === "parameter" && type.name === name) return true;
    const known = this.#types.get(name);
    if (known === undefined) {
      if (!this.#isFree(name, type)) return false;
      this.#set(name, type);
      return true;
    }
    if (areSameTypes(type, known)) return true;
    if (!this.#isAssignable(type, known)) return false;
    const general = mostGeneral(type, known);
    if (this.#isFree(name, general)) this.#set(name, general);
    return true;
  }

  /** Reports whether a parameter is no part of a type. */
  #isFree(name: string, type: CelType): boolean {
    if (type.kind !== "parameter") return partsOf(type).every((part) => this.#isFree(name, part));
    if (type.name === name) return false;
    const known = this.#types.get(type.name);
    return known === undefined || this.#isFree(name, known);
  }
}

function isOpen({ kind }: CelType): boolean {
  return kind === "dyn" || kind === "error";
}

function isNullable({ kind }: CelType): boolean {
  return ["null", "object", "opaque", "optional", "duration", "timestamp"].includes(kind);
}

function isSameConstructor(left: CelType, right: CelType): boolean {
  return left.kind === right.kind && nameOf(left) === nameOf(right);
}

function nameOf(type: CelType): string {
  return "name" in type ? type.name : "";
}

/** Reports whether two types are written the same way. */
export function areSameTypes(left: CelType, right: CelType): boolean {
  if (!isSameConstructor(left, right)) return false;
  const others = partsOf(right);
  return partsOf(left).every((part, index) => areSameTypes(part, others[index] ?? dyn));
}

/** Of two types that fit, returns the one that says less. */
export function mostGeneral(left: CelType, right: CelType): CelType {
  return isAtMostAsSpecific(left, right) ? left : right;
}

function isAtMostAsSpecific(left: CelType, right: CelType): boolean {
  if (left.kind === "dyn" || left.kind === "parameter") return true;
  if (right.kind === "dyn" || right.kind === "parameter") return false;
  if (!isSameConstructor(left, right)) return false;
  const others = partsOf(right);
  return partsOf(left).every((part, index) => isAtMostAsSpecific(part, others[index] ?? dyn));
}
