import type { JsonObject } from "../../src/api/json.ts";
import type { Client, DeleteOptions, Patch, WriteOptions } from "../../src/machinery/client/client.ts";
import { Expectations } from "../../src/machinery/expectations.ts";
import type { Mutation } from "../../src/simulation/processes.ts";

/** Nobody says any more which object he means: whatever has the name will do. */
export const withoutUids: Mutation = {
  client: (inner): Client => ({
    ...inner,
    patch: (resource, name, patch) => inner.patch(resource, name, withoutUid(patch)),
    delete: (resource, name, options) => inner.delete(resource, name, withoutPreconditions(options)),
    bind: (pod, { target }, signal) => inner.bind(pod, { target }, signal),
  }),
};

function withoutUid(patch: Patch & WriteOptions): Patch & WriteOptions {
  if (patch.type === "json") return patch;
  const { uid: _uid, ...metadata } = (patch.body["metadata"] ?? {}) as JsonObject;
  return { ...patch, body: { ...patch.body, metadata } };
}

function withoutPreconditions(options: DeleteOptions = {}): DeleteOptions {
  return { ...options, preconditions: undefined };
}

/** Expects nothing, ever. */
class NoExpectations extends Expectations {
  override expectCreations(): void {}
  override expectDeletions(): void {}
  override expireInMs(): undefined {}
}

export const withoutExpectations: Mutation = { expectations: (clock) => new NoExpectations(clock) };

/** Nobody waits until he sees what he has written. */
export const withoutReadingOwnWrites: Mutation = {
  controller: (spec) => ({ ...spec, written: undefined }),
};

/** Neither of the two guards against an old view. */
export const withoutGuards: Mutation = { ...withoutExpectations, ...withoutReadingOwnWrites };
