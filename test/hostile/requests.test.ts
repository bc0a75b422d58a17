import { describe, expect, test } from "vitest";
import { expectResponse, hostileTestCluster, pods } from "./fixture.ts";
import { requests } from "./requests.cases.ts";

const fixture = hostileTestCluster();

describe("a request", () => {
  test.for(requests)("$name is answered with $code", (request) => expectResponse(fixture, request));

  test("with headers without end is answered before they end", async () => {
    const { code } = await fixture.call(`GET ${pods}`, { headers: { "x-large": "x".repeat(70_000) } });
    expect(code).toBe(431);
  });

  test("is not let in by a token that is almost right", async () => {
    const { token } = fixture.cluster().access;
    for (const close of [token.slice(0, -1), `${token}x`, token.toUpperCase(), ` ${token}`.slice(0, -1)])
      expect(
        (
          await fixture.call(`GET ${pods}`, {
            anonymous: true,
            headers: { authorization: `Bearer ${close}` },
          })
        ).code,
      ).toBe(401);
  });

  test("is never told that other pages may read the answer", async () => {
    const { headers } = await fixture.call("GET /version", { anonymous: true });
    expect(Object.keys(headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
  });
});
