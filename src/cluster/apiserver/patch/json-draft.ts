import { isJsonObject, type Json, type JsonObject } from "../../../api/json.ts";
import { formatPointer, type Pointer } from "./json-pointer.ts";
import { type PatchFailure, patchFailure } from "./patch-result.ts";
import { isList } from "./patch-safety.ts";

type OwnedList = Json[];
type OwnedObject = Record<string, Json | undefined>;

/** The value at a pointer, or why there is none. */
export type Found = { readonly ok: true; readonly value: Json } | PatchFailure;

/**
 * A copy-on-write document: each object and array is copied at its first change and the copy edited from then on, so
 * thousands of operations on one wide object cost no more than its size. The original document stays unchanged.
 */
export class JsonDraft {
  #root: Json;
  readonly #owned = new WeakSet();

  constructor(document: JsonObject) {
    this.#root = document;
  }

  /** Returns the document with the changes so far. */
  get value(): Json {
    return this.#root;
  }

  /** Reads the value at a pointer. */
  read(pointer: Pointer): Found {
    let value = this.#root;
    for (const token of pointer) {
      const next = memberOf(value, token);
      if (next === undefined) return missing(pointer);
      value = next;
    }
    return { ok: true, value };
  }

  /** Inserts a value before the element at an index, or sets the member of a key. */
  add(pointer: Pointer, value: Json): PatchFailure | undefined {
    return this.#edit(pointer, value, (list, token) => {
      const index = token === "-" ? list.length : arrayIndex(token);
      if (index === undefined || index > list.length) return missing(pointer);
      list.splice(index, 0, value);
      return undefined;
    });
  }

  /** Replaces an existing element, or sets the member of a key, which upstream does not require to exist. */
  replace(pointer: Pointer, value: Json): PatchFailure | undefined {
    return this.#edit(pointer, value, (list, token) => {
      const index = arrayIndex(token);
      if (index === undefined || index >= list.length) return missing(pointer);
      list[index] = value;
      return undefined;
    });
  }

  /** Removes the value at a pointer and returns it. */
  remove(pointer: Pointer): Found {
    const found = this.read(pointer);
    if (!found.ok) return found;
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
    const parent = this.#openParent(pointer);
    if (token === undefined || parent === undefined) return missing(pointer);
    if (Array.isArray(parent)) return editList(parent, token);
    if (value === undefined) delete parent[token];
    else parent[token] = value;
    return undefined;
  }

  /**
   * Returns the container of a pointer's last token; copies it and every container on the way if they are not copied
   * yet.
   */
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
