import type { StructuralSchema } from "../structural/structural-schema.ts";

export type ResolvedPath = { readonly ok: true; readonly path: string } | { readonly ok: false };

const escapes: Readonly<Record<string, string>> = {
  a: "\u0007",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "'": "'",
  "\\": "\\",
};

const step = /\.([^.[\]]+)|\['((?:\\.|[^'\\])*)'\]/gy;

/** Resolves the `fieldPath` of a rule, such as `.a['b-c']`, against the schema of its value. */
export function resolveFieldPath(text: string, schema: StructuralSchema): ResolvedPath {
  let path = "";
  let at = 0;
  let current: StructuralSchema | undefined = schema;
  for (const match of text.matchAll(step)) {
    const next: Step | undefined = stepInto(current, match[1] ?? unescaped(match[2] ?? ""));
    if (next === undefined) return { ok: false };
    path += next.isField && path !== "" ? `.${next.text}` : next.text;
    current = next.schema;
    at += match[0].length;
  }
  return at === text.length && at > 0 ? { ok: true, path } : { ok: false };
}

interface Step {
  readonly text: string;
  readonly isField: boolean;
  readonly schema: StructuralSchema | undefined;
}

function stepInto(schema: StructuralSchema | undefined, name: string | undefined): Step | undefined {
  if (schema === undefined || name === undefined) return undefined;
  const { properties, additionalProperties } = schema;
  if (properties.size > 0) {
    const property = properties.get(name);
    return property && { text: name, isField: true, schema: property };
  }
  if (additionalProperties === undefined || additionalProperties === false) return undefined;
  const values = additionalProperties === true ? undefined : additionalProperties;
  return { text: `[${name}]`, isField: false, schema: values };
}

/** Returns the text of a quoted name; `undefined` if it has an escape that does not exist. */
function unescaped(text: string): string | undefined {
  let isRight = true;
  const read = text.replaceAll(/\\(.)/g, (_, letter: string) => {
    const character = escapes[letter];
    isRight &&= character !== undefined;
    return character ?? "";
  });
  return isRight ? read : undefined;
}
