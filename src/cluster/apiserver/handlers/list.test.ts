import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../api/json.ts";
import { seededRandom } from "../../../machinery/random/random.ts";
import {
  namesIn,
  podOf,
  type ResponseSummary,
  startTestApiServer,
  type TestApiServer,
} from "../api-server-fixture.contract.ts";

const configMaps = "/api/v1/namespaces/default/configmaps";

async function serverWith(...names: readonly string[]): Promise<TestApiServer> {
  const fixture = await startTestApiServer();
  for (const name of names)
    await fixture.request(`POST ${configMaps}`, { metadata: { name, labels: { name } } });
  return fixture;
}

const metadataIn = ({ body }: ResponseSummary) => body["metadata"] as Readonly<Record<string, unknown>>;
const tokenIn = (seen: ResponseSummary) => String(metadataIn(seen)["continue"]);

test("a list has the revision of the store, empty or not", async () => {
  const { request, store } = await serverWith("a");
  const empty = await request("GET /api/v1/namespaces/none/configmaps");
  expect(empty.body).toEqual({ metadata: { resourceVersion: String(store.revision()) }, items: [] });
  expect(metadataIn(await request(`GET ${configMaps}`))).toEqual({
    resourceVersion: String(store.revision()),
  });
});

describe("pages", () => {
  test("go through the collection as it was, and say how much is left", async () => {
    const { request } = await serverWith("a", "b", "c", "d", "e");
    const first = await request(`GET ${configMaps}?limit=2`);
    await request(`DELETE ${configMaps}/c`);
    await request(`POST ${configMaps}`, { metadata: { name: "bb" } });
    const second = await request(`GET ${configMaps}?limit=2&continue=${tokenIn(first)}`);
    const third = await request(`GET ${configMaps}?limit=2&continue=${tokenIn(second)}`);
    expect([first, second, third].map(namesIn)).toEqual([["a", "b"], ["c", "d"], ["e"]]);
    expect(metadataIn(first)["remainingItemCount"]).toBe(3);
    expect(metadataIn(second)["remainingItemCount"]).toBe(1);
    expect(metadataIn(third)).toEqual({ resourceVersion: metadataIn(first)["resourceVersion"] });
  });

  test("of a selection do not say how much is left", async () => {
    const { request } = await serverWith("a", "b", "c");
    const first = await request(`GET ${configMaps}?limit=1&labelSelector=name!=a`);
    expect(namesIn(first)).toEqual(["b"]);
    expect(Object.keys(metadataIn(first))).not.toContain("remainingItemCount");
    const second = await request(
      `GET ${configMaps}?limit=5&labelSelector=name!=a&continue=${tokenIn(first)}`,
    );
    expect(namesIn(second)).toEqual(["c"]);
  });

  test("end where the last one is full", async () => {
    const { request } = await serverWith("a", "b");
    expect(Object.keys(metadataIn(await request(`GET ${configMaps}?limit=2`)))).toEqual(["resourceVersion"]);
  });

  test("survive five minutes, then say how to go on without them", async () => {
    const fixture = await serverWith("a", "b", "c");
    const { request, store, clock } = fixture;
    const first = await request(`GET ${configMaps}?limit=1`);
    await request(`DELETE ${configMaps}/b`);
    store.compact();
    const gone = await request(`GET ${configMaps}?limit=1&continue=${tokenIn(first)}`);
    expect(gone).toMatchObject({
      code: 410,
      body: { reason: "Expired", metadata: { continue: expect.any(String) } },
    });
    const rest = await request(`GET ${configMaps}?limit=5&continue=${tokenIn(gone)}`);
    expect(namesIn(rest)).toEqual(["c"]);
    await clock.advance(1);
  });

  test.for([
    { name: "a future revision", change: { rv: 1_000_000 } },
    { name: "an older revision", change: { rv: 3 } },
    { name: "another place", change: { start: "default/z" } },
    { name: "no signature", change: { signature: null } },
    { name: "half a signature", change: { signature: "abc" } },
  ])(
    "with a token that was changed to $name are expired, and nobody else's pages change",
    async ({ change }) => {
      const fixture = await serverWith("a", "b", "c");
      const { request } = fixture;
      const token = tokenIn(await request(`GET ${configMaps}?limit=1`));
      const known = JSON.parse(Buffer.from(token, "base64url").toString()) as JsonObject;
      const forged = Buffer.from(JSON.stringify({ ...known, ...change })).toString("base64url");
      const refused = await request(`GET ${configMaps}?limit=1&continue=${forged}`);
      expect(refused).toMatchObject({ code: 410, body: { reason: "Expired" } });
      expect(namesIn(await request(`GET ${configMaps}?limit=2&continue=${token}`))).toEqual(["b", "c"]);
    },
  );

  test("with a token of an earlier run of the server are expired", async () => {
    const earlier = await serverWith("a", "b", "c");
    const token = tokenIn(await earlier.request(`GET ${configMaps}?limit=1`));
    const { request } = await startTestApiServer({ random: seededRandom("another run") });
    const answer = await request(`GET ${configMaps}?limit=1&continue=${token}`);
    expect(answer).toMatchObject({ code: 410, body: { reason: "Expired" } });
  });

  test("of a revision that this run of the server has not reached are expired", async () => {
    const earlier = await serverWith("a", "b", "c");
    const token = tokenIn(await earlier.request(`GET ${configMaps}?limit=1`));
    const { request, store } = await serverWith("a"); // the same key, as it would be kept with a store on disk
    const answer = await request(`GET ${configMaps}?limit=1&continue=${token}`);
    expect(answer).toMatchObject({ code: 410, body: { reason: "Expired" } });
    while (store.revision() < 20)
      await request(`POST ${configMaps}`, { metadata: { generateName: "more-" } });
    const whole = await request(`GET ${configMaps}?resourceVersion=6&resourceVersionMatch=Exact`);
    expect(namesIn(whole).length).toBe(3);
  });

  test.for([
    { name: "a token that no server encoded", query: "continue=abc" },
    { name: "a token and a version", query: "continue=TOKEN&resourceVersion=5" },
    { name: "a limit that is no number", query: "limit=many" },
  ])("with $name are refused", async ({ query }) => {
    const { request } = await serverWith("a", "b");
    const token = tokenIn(await request(`GET ${configMaps}?limit=1`));
    const answer = () => request(`GET ${configMaps}?limit=1&${query.replace("TOKEN", token)}`);
    if (query.startsWith("limit"))
      await expect(request(`GET ${configMaps}?${query}`)).resolves.toMatchObject({ code: 400 });
    else expect((await answer()).code).toBe(400);
  });
});

describe("a revision", () => {
  async function twoStates() {
    const fixture = await serverWith("a");
    const early = fixture.store.revision();
    await fixture.request(`POST ${configMaps}`, { metadata: { name: "b" } });
    return { ...fixture, early };
  }

  test.for([
    { name: "0", query: () => "resourceVersion=0", want: ["a", "b"] },
    { name: "0 with a limit, which it ignores", query: () => "resourceVersion=0&limit=1", want: ["a", "b"] },
    { name: "alone means not older", query: (early: number) => `resourceVersion=${early}`, want: ["a", "b"] },
    {
      name: "not older, with a limit",
      query: (early: number) => `resourceVersion=${early}&resourceVersionMatch=NotOlderThan&limit=1`,
      want: ["a"],
    },
    {
      name: "exactly",
      query: (early: number) => `resourceVersion=${early}&resourceVersionMatch=Exact`,
      want: ["a"],
    },
    {
      name: "with a limit means exactly",
      query: (early: number) => `resourceVersion=${early}&limit=5`,
      want: ["a"],
    },
  ])("$name", async ({ query, want }) => {
    const { request, early } = await twoStates();
    expect(namesIn(await request(`GET ${configMaps}?${query(early)}`))).toEqual(want);
  });

  test.for([
    { name: "a match without a version", query: "resourceVersionMatch=Exact" },
    { name: "exactly 0", query: "resourceVersion=0&resourceVersionMatch=Exact" },
    { name: "an unknown match", query: "resourceVersion=1&resourceVersionMatch=Roughly" },
    { name: "initial events in a list", query: "sendInitialEvents=true" },
    { name: "a match and a token", query: "resourceVersion=1&resourceVersionMatch=Exact&continue=x" },
  ])("makes no sense as $name", async ({ query }) => {
    const { request } = await serverWith();
    expect(await request(`GET ${configMaps}?${query}`)).toMatchObject({
      code: 422,
      body: { details: { kind: "ListOptions", group: "meta.k8s.io" } },
    });
  });

  test("that is malformed is refused", async () => {
    const { request } = await serverWith();
    for (const text of ["abc", "-1", "007", "1.5", "9".repeat(40)])
      expect((await request(`GET ${configMaps}?resourceVersion=${text}`)).code).toBe(400);
  });

  test("that history has forgotten is gone", async () => {
    const { request, store, early } = await twoStates();
    store.compact();
    expect(
      await request(`GET ${configMaps}?resourceVersion=${early}&resourceVersionMatch=Exact`),
    ).toMatchObject({
      code: 410,
      body: { reason: "Expired" },
    });
  });

  test("of the future is waited for, but not for long", async () => {
    const { request, store, clock } = await serverWith();
    const next = store.revision() + 1;
    const early = request(`GET ${configMaps}?resourceVersion=${next}`);
    await request(`POST ${configMaps}`, { metadata: { name: "a" } });
    await clock.advance(100);
    expect(namesIn(await early)).toEqual(["a"]);

    const never = request(`GET ${configMaps}?resourceVersion=999`);
    await clock.advance(3000);
    expect(await never).toMatchObject({
      code: 504,
      body: {
        reason: "Timeout",
        message: `Timeout: Too large resource version: 999, current: ${store.revision()}`,
        details: { causes: [{ reason: "ResourceVersionTooLarge" }], retryAfterSeconds: 1 },
      },
    });
  });
});

describe("a selection of Pods", () => {
  test.for([
    { query: "fieldSelector=spec.nodeName=n1", want: ["a", "b"] },
    { query: "fieldSelector=spec.nodeName=n1,metadata.name=b", want: ["b"] },
    { query: "fieldSelector=spec.nodeName=", want: ["c"] },
    { query: "fieldSelector=status.phase!=Pending", want: [] },
    { query: "fieldSelector=metadata.name=a", want: ["a"] },
    { query: "fieldSelector=metadata.namespace=other", want: [] },
    { query: "fieldSelector=spec.nodeName=n1&limit=1", want: ["a"] },
  ])("by $query is $want", async ({ query, want }) => {
    const { request } = await startTestApiServer();
    for (const [name, nodeName] of [
      ["a", "n1"],
      ["b", "n1"],
      ["c", ""],
    ])
      await request(
        "POST /api/v1/namespaces/default/pods",
        podOf(name ?? "", nodeName === "" ? {} : { nodeName: nodeName ?? "" }),
      );
    expect(namesIn(await request(`GET /api/v1/pods?${query}`))).toEqual(want);
    expect(namesIn(await request(`GET /api/v1/namespaces/default/pods?${query}`))).toEqual(want);
  });

  test.for([
    { query: "fieldSelector=spec.colour=red", message: "field label not supported: spec.colour" },
    { query: "fieldSelector=metadata.name", message: /^invalid selector/ },
    { query: "labelSelector=a in", message: /^unable to parse requirement/ },
  ])("by $query is refused", async ({ query, message }) => {
    const { request } = await startTestApiServer();
    const { code, body } = await request(`GET /api/v1/pods?${encodeURI(query)}`);
    expect(code).toBe(400);
    expect(body["message"]).toMatch(message);
  });

  test("by a field its kind has not is refused in the words of kinds without any", async () => {
    const { request } = await startTestApiServer();
    expect(await request("GET /apis/apps/v1/deployments?fieldSelector=spec.replicas=1")).toMatchObject({
      code: 400,
      body: {
        message: '"spec.replicas" is not a known field selector: only "metadata.name", "metadata.namespace"',
      },
    });
  });
});
