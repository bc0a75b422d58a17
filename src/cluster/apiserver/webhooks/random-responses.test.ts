import * as fc from "fast-check";
import { expect, test } from "vitest";
import { startScriptedWebhooks } from "./scripted-webhooks.contract.ts";

const maps = "/api/v1/namespaces/default/configmaps";

const json = fc.jsonValue({ maxDepth: 3 });
const operation = fc.record({
  op: fc.constantFrom("add", "remove", "replace", "move", "copy", "test", "none"),
  path: fc.constantFrom(
    "",
    "/",
    "/metadata",
    "/metadata/name",
    "/metadata/labels",
    "/data",
    "/data/k",
    "/kind",
    "/x/y",
  ),
  from: fc.constantFrom("/metadata", "/data", "/kind", ""),
  value: json,
});
const patch = fc.oneof(
  fc.array(operation, { maxLength: 4 }).map((operations) => JSON.stringify(operations)),
  fc.string(),
);
const response = fc.record(
  {
    allowed: fc.oneof(fc.boolean(), json),
    patchType: fc.oneof(fc.constant("JSONPatch"), fc.constant(undefined), json),
    patch: fc.oneof(
      patch.map((text) => Buffer.from(text).toString("base64")),
      json,
    ),
    status: fc.oneof(fc.record({ code: json, message: json, reason: json, details: json }), json),
    warnings: fc.oneof(fc.array(fc.string()), json),
    auditAnnotations: json,
  },
  { requiredKeys: [] },
);
const members = fc.oneof(
  {
    weight: 5,
    arbitrary: response.map((value) => JSON.parse(JSON.stringify(value)) as Record<string, never>),
  },
  { weight: 1, arbitrary: fc.string() },
  { weight: 1, arbitrary: json.map((value) => JSON.stringify(value)) },
);

test("whatever webhooks answer, a request gets an object or a Status, and what is stored is valid", async () => {
  let answer: Record<string, never> | string = {};
  const { request, register } = await startScriptedWebhooks({ any: () => answer });
  await register("mutating", "any", {
    rules: [{ operations: ["*"], apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"] }],
  });
  let count = 0;
  await fc.assert(
    fc.asyncProperty(members, async (next) => {
      answer = next;
      const name = `m${count++}`;
      const { code, body } = await request(`POST ${maps}`, { metadata: { name }, data: { k: "v" } });
      if (code !== 201) {
        expect(body).toMatchObject({ kind: "Status", status: "Failure", code });
        expect(code).toBeGreaterThanOrEqual(400);
        return;
      }
      const stored = body as { readonly metadata: { readonly name: string; readonly namespace: string } };
      expect(body).toMatchObject({ kind: "ConfigMap", apiVersion: "v1", metadata: { namespace: "default" } });
      answer = {};
      const read = await request(`GET ${maps}/${stored.metadata.name}`);
      expect(read.body).toEqual(body);
      const again = await request(`PUT ${maps}/${stored.metadata.name}`, read.body);
      expect(again.code).toBe(200);
    }),
    { numRuns: 300 },
  );
});
