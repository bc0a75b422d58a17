/**
 * An object as a client may send it: the types are those of the kind, but any member may be absent, required ones
 * included. The decoder has removed nulls.
 */
export type Sent<T> = T extends readonly (infer Item)[]
  ? readonly Sent<Item>[]
  : T extends object
    ? string extends keyof T
      ? Readonly<Record<string, Sent<T[keyof T]>>>
      : { readonly [Key in keyof T]?: Sent<Exclude<T[Key], undefined>> }
    : T;
