import { expect, test } from "vitest";
import type { CustomResourceDefinition } from "../api/generated/apiextensions-v1.ts";
import { ApiError, apiFailure } from "../machinery/client/api-error.ts";
import type { Client } from "../machinery/client/client.ts";
import { withSession } from "./page-fixture.contract.ts";
import { readScaledObjects } from "./scaled-objects.ts";

const definition = (kind: string, scope: "Namespaced" | "Cluster" = "Namespaced") =>
  ({
    metadata: { name: `${kind.toLowerCase()}s.example.com`, uid: kind, resourceVersion: "1" },
    spec: {
      group: "example.com",
      names: { kind, plural: `${kind.toLowerCase()}s` },
      scope,
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          subresources: {
            scale: {
              specReplicasPath: ".spec.size",
              statusReplicasPath: ".status.size",
              labelSelectorPath: ".status.selector",
            },
          },
        },
      ],
    },
  }) as unknown as CustomResourceDefinition;

/** Lists what is given by plural, and refuses everything else. */
const listing = (lists: Readonly<Record<string, readonly object[]>>): Pick<Client, "list"> => ({
  list: ({ plural }) => {
    const items = lists[plural];
    if (items === undefined) return Promise.reject(apiFailure(403, "Forbidden", `${plural} are forbidden`));
    return Promise.resolve({ items: items as never, resourceVersion: "1" });
  },
});

const { signal } = new AbortController();
const metadata = { namespace: "default", name: "one", uid: "1", resourceVersion: "1" };

test("of an object with a scale its sizes and its selector are read, and nothing else", async () => {
  const secret = { metadata, spec: { size: 3, password: "x" }, status: { size: 2, selector: "app=web" } };
  const client = listing({ customresourcedefinitions: [definition("Widget")], widgets: [secret] });
  const { objects, problems } = await readScaledObjects(client, undefined, signal);
  expect(problems).toEqual([]);
  expect(objects).toEqual([
    {
      group: "example.com",
      kind: "Widget",
      namespace: "default",
      name: "one",
      uid: "1",
      replicas: 3,
      currentReplicas: 2,
      selector: "app=web",
    },
  ]);
});

test.for([
  { name: "texts in place of numbers", spec: { size: "3" }, status: { size: "2", selector: 7 } },
  { name: "no spec and no status" },
])("an object with $name says nothing of its size", async ({ spec, status }) => {
  const lists = { customresourcedefinitions: [definition("Widget")], widgets: [{ metadata, spec, status }] };
  const { objects } = await readScaledObjects(listing(lists), undefined, signal);
  expect(objects).toEqual([
    { group: "example.com", kind: "Widget", namespace: "default", name: "one", uid: "1" },
  ]);
});

test("what may not be read is missing, and it says so", async () => {
  const definitions = [definition("Widget"), definition("Gadget")];
  const some = await readScaledObjects(
    listing({ customresourcedefinitions: definitions, widgets: [{ metadata }] }),
    undefined,
    signal,
  );
  expect([some.objects.length, some.problems]).toEqual([
    1,
    ["gadgets.example.com cannot be read: gadgets are forbidden"],
  ]);
  expect((await readScaledObjects(listing({}), undefined, signal)).problems).toEqual([
    "custom kinds cannot be read: customresourcedefinitions are forbidden",
  ]);
});

test("in one namespace, kinds of the whole cluster are left out", async () => {
  const definitions = [definition("Widget"), definition("Gadget", "Cluster")];
  const client = listing({ customresourcedefinitions: definitions, widgets: [{ metadata }] });
  expect(await readScaledObjects(client, "default", signal)).toMatchObject({
    objects: [{ name: "one" }],
    problems: [],
  });
});

test("a server that does not answer is no cluster without custom kinds", async () => {
  const list = () => Promise.reject(apiFailure(503, "ServiceUnavailable", "later"));
  await expect(readScaledObjects({ list }, undefined, signal)).rejects.toThrow(ApiError);
});

test("the page serves them", async () => {
  const { get } = await withSession();
  expect((await get("/scaled.json")).json).toEqual({ objects: [], problems: [] });
});
