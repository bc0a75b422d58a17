import { isJsonObject, type Json, type JsonObject } from "../../../api/json.ts";
import { formatPointer, type Pointer } from "./json-pointer.ts";
import { type PatchFailure, patchFailure } from "./patch-result.ts";
import { isList } from "./patch-safety.ts";

type OwnedList = Json[];
type OwnedObject = Record<string, Json | undefined>;

/** A value at a place, or why there is none. */
export type Found = { readonly ok: true; readonly value: Json } | PatchFailure;

/**
 * A document under change: it copies each object and array at its first change and edits the copy from then on, so
 * thousands of operations on one wide object cost no more than its size. The document it began with stays as it was.
 */
export class JsonDraft {
  #root: Json;
  readonly #owned = new WeakSet();

  constructor(document: JsonObject) {
    this.#root = document;
  }

  /** The document as it stands. */
  get value(): Json {
    return this.#root;
  }

  /** What a pointer leads to. */
  read(pointer: Pointer): Found {
    let value = this.#root;
    for (const token of pointer) {
      const next = memberOf(value, token);
      if (next === undefined) return missing(pointer);
      value = next;
    }
    return { ok: true, value };
  }

  /** Puts a value in place: before the element an index names, or as the member a key names. */
  add(pointer: Pointer, value: Json): PatchFailure | undefined {
    return this.#edit(pointer, value, (list, token) => {
      const index = token === "-" ? list.length : arrayIndex(token);
      if (index === undefined || index > list.length) return missing(pointer);
      list.splice(index, 0, value);
      return undefined;
    });
  }

  /** Puts a value where there already is one. */
  replace(pointer: Pointer, value: Json): PatchFailure | undefined {
    const found = this.read(pointer);
    if (!found.ok) return found;
    return this.#edit(pointer, value, (list, token) => {
      list[Number(token)] = value;
      return undefined;
    });
  }

  /** Takes away what a pointer leads to, and hands it back. */
  remove(pointer: Pointer): Found {
    const found = this.read(pointer);
    if (!found.ok) return found;
    if (pointer.length === 0) return patchFailure(422, "the whole document cannot be removed");
    const failure = this.#edit(pointer, undefined, (list, token) => {
      list.splice(Number(token), 1);
      return undefined;
    });
    return failure ?? found;
  }

  #edit(
    pointer: Pointer,
    value: Json | undefined,
    editList: (list: OwnedList, token: string) => PatchFailure | undefined,
  ): PatchFailure | undefined {
    const token = pointer.at(-1);
    if (token === undefined) {
      if (value !== undefined) this.#root = value;
      return undefined;
    }
    const parent = this.#openParent(pointer);
    if (parent === undefined) return missing(pointer);
    if (Array.isArray(parent)) return editList(parent, token);
    if (value === undefined) delete parent[token];
    else parent[token] = value;
    return undefined;
  }

  /** The container a pointer's last step is taken in, with everything on the way to it made our own. */
  #openParent(pointer: Pointer): OwnedList | OwnedObject | undefined {
    let container = this.#own(this.#root);
    if (container === undefined) return undefined;
    this.#root = container;
    for (const token of pointer.slice(0, -1)) {
      const next = this.#own(memberOf(container, token));
      if (next === undefined) return undefined;
      if (Array.isArray(container)) container[Number(token)] = next;
      else container[token] = next;
      container = next;
    }
    return container;
  }

  #own(value: Json | undefined): OwnedList | OwnedObject | undefined {
    if (!isList(value) && !isJsonObject(value)) return undefined;
    if (this.#owned.has(value)) return value as OwnedList | OwnedObject;
    const copy = isList(value) ? [...value] : { ...value };
    this.#owned.add(copy);
    return copy;
  }
}

function memberOf(value: Json, token: string): Json | undefined {
  if (isList(value)) {
    const index = arrayIndex(token);
    return index === undefined ? undefined : value[index];
  }
  return isJsonObject(value) && Object.hasOwn(value, token) ? value[token] : undefined;
}

function arrayIndex(token: string): number | undefined {
  return /^(0|[1-9]\d{0,9})$/.test(token) ? Number(token) : undefined;
}

function missing(pointer: Pointer): PatchFailure {
  return patchFailure(422, `the path ${JSON.stringify(formatPointer(pointer))} does not exist`);
}
