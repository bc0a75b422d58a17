import type { JsonObject } from "../../../api/json.ts";
import { startTestApiServer, type TestApiServer } from "../api-server-fixture.contract.ts";
import { definitionsCollection } from "./definition-controller.ts";

// The kind of the tests: Foo in example.com/v1, namespaced, with a status subresource.

export const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
export const foos = "/apis/example.com/v1/namespaces/default/foos";

/** The properties of the spec, or all of a version. */
export interface FooVersion {
  readonly spec?: JsonObject;
  /** Keywords of the schema of the spec. */
  readonly ofSpec?: JsonObject;
  readonly status?: JsonObject;
  /** Keywords of the schema itself. */
  readonly root?: JsonObject;
  readonly version?: JsonObject;
}

/** Returns a version of the definition. */
export function fooVersion(
  name: string,
  { spec = {}, ofSpec = {}, status = {}, root, version }: FooVersion = {},
): JsonObject {
  const openAPIV3Schema = {
    type: "object",
    properties: {
      spec: { type: "object", properties: spec, ...ofSpec },
      status: { type: "object", properties: status },
    },
    ...root,
  };
  return {
    name,
    served: true,
    storage: name === "v1",
    schema: { openAPIV3Schema },
    subresources: { status: {} },
    ...version,
  };
}

/** Returns the definition of Foo with some versions, one by default. */
export function fooDefinition(
  versions: readonly JsonObject[] = [fooVersion("v1")],
  spec: JsonObject = {},
): JsonObject {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "foos.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "foos", kind: "Foo" },
      versions,
      ...spec,
    },
  };
}

/** Returns a Foo. */
export const foo = (spec?: JsonObject, rest: JsonObject = {}): JsonObject => ({
  apiVersion: "example.com/v1",
  kind: "Foo",
  metadata: { name: "x" },
  ...(spec !== undefined && { spec }),
  ...rest,
});

/** Resolves when a definition is, or gets, as the predicate wants it; `undefined` is a definition that is gone. */
export function definitionThat(
  { store }: Pick<TestApiServer, "store">,
  name: string,
  is: (definition: JsonObject | undefined) => boolean,
): Promise<void> {
  const collection = store.collection(definitionsCollection);
  return new Promise((resolve) => {
    const check = () => {
      if (!is(collection.get(name)?.object)) return;
      stop();
      resolve();
    };
    const stop = collection.subscribe({ of: "all" }, check);
    check();
  });
}

/** Reports whether a condition of a definition has a reason. */
export const hasReason = (type: string, reason: string) => (definition: JsonObject | undefined) => {
  const status = definition?.["status"] as { readonly conditions?: readonly JsonObject[] | null } | undefined;
  return (status?.conditions ?? []).some((each) => each["type"] === type && each["reason"] === reason);
};

/** Starts an API server that serves Foo. */
export async function startFooServer(definition: JsonObject = fooDefinition()): Promise<TestApiServer> {
  const api = await startTestApiServer();
  await define(api, definition);
  return api;
}

/** Creates a definition, and waits until it is established. */
export async function define(api: TestApiServer, definition: JsonObject): Promise<void> {
  const { code, body } = await api.request(`POST ${definitions}`, definition);
  if (code !== 201) throw new Error(JSON.stringify(body["message"]));
  const { name } = definition["metadata"] as { readonly name: string };
  await definitionThat(api, name, hasReason("Established", "InitialNamesAccepted"));
}
