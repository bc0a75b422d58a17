import { hexText, utf8Bytes } from "../../../api/bytes.ts";
import { sha256 } from "../../../machinery/hashing/sha256.ts";
import type { JsonObject } from "../../../api/json.ts";
import { convertPath, convertSchema, objectOf } from "./swagger.ts";
import { encodedDefinition, encodedPath, encodedSwagger } from "./swagger-protobuf.ts";

// The document of version 2 is made path by path: it grows with every version of every kind, to tens of megabytes where a
// definition has thousands, and other requests must not wait for it.

type Documents = Iterable<JsonObject>;

/** What is made of each member of the document. */
interface MemberForm<T> {
  readonly path: (name: string, path: JsonObject) => T;
  readonly definition: (name: string, schema: JsonObject) => T;
}

interface SwaggerMembers<T> {
  readonly info: JsonObject;
  readonly paths: readonly T[];
  readonly definitions: readonly T[];
}

/** Makes the members of version 2 from the documents of version 3, with a pause after each. */
function* memberSteps<T>(
  documents: Documents,
  form: MemberForm<T>,
): Generator<void, SwaggerMembers<T>, void> {
  const paths = new Map<string, T>();
  const definitions = new Map<string, T>();
  let info: JsonObject = {};
  for (const document of documents) {
    if (paths.size === 0) info = objectOf(document["info"]);
    for (const [name, path] of Object.entries(objectOf(document["paths"]))) {
      paths.set(name, form.path(name, convertPath(path)));
      yield;
    }
    // Every document has the types that all share: they are the same in each.
    for (const [name, schema] of Object.entries(objectOf(objectOf(document["components"])["schemas"]))) {
      if (definitions.has(name)) continue;
      definitions.set(name, form.definition(name, convertSchema(schema)));
      yield;
    }
    yield;
  }
  return { info, paths: [...paths.values()], definitions: [...definitions.values()] };
}

/** Makes the JSON text of version 2, with its hash. */
export function* swaggerTextSteps(
  documents: Documents,
): Generator<void, { readonly body: Uint8Array; readonly hash: string }, void> {
  const made = yield* memberSteps(documents, { path: memberText, definition: memberText });
  const head = utf8Bytes(`{"swagger":"2.0","info":${JSON.stringify(made.info)},"paths":{`);
  const between = utf8Bytes(`},"definitions":{`);
  const parts = [head, ...separated(made.paths), between, ...separated(made.definitions), utf8Bytes("}}")];
  const body = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  const hash = sha256();
  let length = 0;
  for (const part of parts) {
    hash.update(part);
    body.set(part, length);
    length += part.length;
    yield;
  }
  return { body, hash: hexText(hash.digest()).toUpperCase() };
}

/** Bytes instead of a text, so that tens of megabytes are not on the heap. */
function memberText(name: string, value: JsonObject): Uint8Array {
  return utf8Bytes(`${JSON.stringify(name)}:${JSON.stringify(value)}`);
}

const comma = utf8Bytes(",");

function separated(members: readonly Uint8Array[]): readonly Uint8Array[] {
  return members.flatMap((each, index) => (index === 0 ? [each] : [comma, each]));
}

/** Makes the protobuf form of version 2. */
export function* encodedSwaggerSteps(documents: Documents): Generator<void, Uint8Array, void> {
  return encodedSwagger(yield* memberSteps(documents, { path: encodedPath, definition: encodedDefinition }));
}
