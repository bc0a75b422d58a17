import { describe, expect, test } from "vitest";
import { bodies } from "./bodies.cases.ts";
import { configMaps, expectResponse, hostileTestCluster } from "./fixture.ts";

const fixture = hostileTestCluster();

describe("a body", () => {
  test.for(bodies)("$name is answered with $code", (body) => expectResponse(fixture, body));

  test("may be as large as the limit and no larger", async () => {
    const sized = (size: number) => {
      const frame = JSON.stringify({ metadata: { generateName: "large-" }, data: { a: "" } });
      return frame.replace('"a":""', `"a":"${"x".repeat(size - frame.length)}"`);
    };
    const limit = 3 * 1024 * 1024;
    expect((await fixture.call(`POST ${configMaps}`, { body: sized(limit + 1) })).code).toBe(413);
    // The transport accepts it, validation does not.
    expect((await fixture.call(`POST ${configMaps}`, { body: sized(limit) })).code).toBe(422);
    expect((await fixture.call(`POST ${configMaps}`, { body: sized(1_000_000) })).code).toBe(201);
  });

  test("with the names of prototype members is stored as data where keys are free, and nowhere else", async () => {
    const body = `{"metadata":{"name":"keys"},"data":{"__proto__":"p","constructor":"c"}}`;
    expect((await fixture.call(`POST ${configMaps}`, { body })).code).toBe(201);
    const stored = JSON.parse((await fixture.call(`GET ${configMaps}/keys`)).text) as { data: object };
    expect(Object.entries(stored.data)).toEqual([
      ["__proto__", "p"],
      ["constructor", "c"],
    ]);
  });

  test("with thousands of field managers is written like any other", async () => {
    const data = Object.fromEntries(Array.from({ length: 5000 }, (_none, index) => [`k${index}`, "v"]));
    const managedFields = Object.keys(data).map((key) => ({
      manager: key,
      operation: "Update",
      apiVersion: "v1",
      fieldsType: "FieldsV1",
      fieldsV1: { "f:data": { [`f:${key}`]: {} } },
    }));
    const body = (members: object) => JSON.stringify({ metadata: { name: "managed", ...members }, data });
    expect((await fixture.call(`POST ${configMaps}`, { body: body({}) })).code).toBe(201);
    const sent = body({ labels: { a: "b" }, managedFields });
    expect((await fixture.call(`PUT ${configMaps}/managed`, { body: sent })).code).toBe(200);
    const stored = JSON.parse((await fixture.call(`GET ${configMaps}/managed`)).text) as {
      metadata: { managedFields: readonly object[] };
    };
    expect(stored.metadata.managedFields.length).toBeLessThanOrEqual(10);
  });

  test("cannot smuggle headers in by way of warnings", async () => {
    const body = JSON.stringify({ metadata: { name: "smuggler" }, "a\r\nX-Evil: yes": 1 });
    const { code, headers } = await fixture.call(`POST ${configMaps}`, { body });
    expect(code).toBe(201);
    expect(headers["x-evil"]).toBeUndefined();
    expect(headers["warning"]).toMatch(/^299 - "unknown field/);
  });
});
