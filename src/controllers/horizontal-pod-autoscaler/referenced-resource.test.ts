import { expect, test } from "vitest";
import {
  fooDefinition,
  fooVersion,
  startFooServer,
} from "../../cluster/apiserver/custom-resources/foo-definition.contract.ts";
import { referencedResource } from "./referenced-resource.ts";

test.for([
  { kind: "Deployment", apiVersion: "apps/v1", found: "apps/v1 deployments" },
  { kind: "Foo", apiVersion: "example.com/v2", found: "example.com/v2 foos" },
  { kind: "Foo", apiVersion: "example.com/v7", found: "example.com/v2 foos" },
  { kind: "Bar", apiVersion: "example.com/v1", found: undefined },
  { kind: "Bar", apiVersion: "v1", found: undefined },
])("a reference to $kind in $apiVersion is $found", async ({ kind, apiVersion, found }) => {
  const { client } = await startFooServer(fooDefinition([fooVersion("v1"), fooVersion("v2")]));
  const resource = await referencedResource(
    client,
    { kind, apiVersion, name: "x" },
    new AbortController().signal,
  );
  expect(resource && `${resource.group}/${resource.version} ${resource.plural}`).toBe(found);
});
