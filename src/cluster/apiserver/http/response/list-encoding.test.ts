import { expect, test } from "vitest";
import { parse } from "yaml";
import type { JsonObject } from "../../../../api/json.ts";
import { startHttpsTestApiServer } from "../https-fixture.contract.ts";

test.for(["application/json", "application/yaml"])(
  "the items of a list as %s have no kind of their own",
  async (accept) => {
    const { call, request } = await startHttpsTestApiServer();
    for (const name of ["a", "b"]) await request("POST /api/v1/namespaces", { metadata: { name } });
    const { text } = await call("GET /api/v1/namespaces", { headers: { accept } });
    const { items } = parse(text) as { readonly items: readonly JsonObject[] };
    expect(items.map(Object.keys)).toEqual(items.map(() => ["metadata", "spec", "status"]));
    expect(items.map(({ metadata }) => (metadata as JsonObject)["name"])).toEqual(["a", "b", "default"]);
  },
);
