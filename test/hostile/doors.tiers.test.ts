import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonObject } from "../../src/api/json.ts";
import {
  podOf,
  type ResponseSummary,
  startTestApiServer,
  type TestApiServer,
} from "../../src/cluster/apiserver/api-server-fixture.contract.ts";
import { startHttpsTestApiServer } from "../../src/cluster/apiserver/http/https-fixture.contract.ts";
import { perTier } from "../tier.ts";

const core = "/api/v1/namespaces/default";
const numRuns = perTier({ unit: 100, full: 5000 });

const odd = fc.oneof(
  fc.constantFrom("", "web", "app", "0", "-1", "1", "true", "9".repeat(30), "NaN", "2026-11-15T00:00:00Z"),
  fc.string(),
);
const member = fc.oneof(
  odd,
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
  fc.array(odd),
  fc.dictionary(odd, odd),
);

/** An object with some of these members, of any type. */
const oddObject = (...names: readonly string[]) =>
  fc.record(Object.fromEntries(names.map((name) => [name, member])), { requiredKeys: [] });

/** A Status, an object, or a text; a server that fails throws, or answers 500. */
function expectAnswer({ code, body }: ResponseSummary, what: string) {
  const isStatus = body["kind"] === "Status" && body["code"] === code;
  const problem = code === 500 || (code >= 400 && !isStatus) ? `${what}: ${code}` : "none";
  expect(problem).toBe("none");
}

async function worldWithWeb(): Promise<TestApiServer> {
  const world = await startTestApiServer();
  const { body } = await world.request(`POST ${core}/pods`, podOf("web", { nodeName: "n1" }));
  const running = { running: { startedAt: "2026-11-15T00:00:00Z" } };
  const containerStatuses = [
    { name: "app", image: "", imageID: "", ready: true, restartCount: 0, state: running },
  ];
  await world.request(`PUT ${core}/pods/web/status`, {
    ...body,
    status: { phase: "Running", containerStatuses },
  });
  return world;
}

const query = fc
  .dictionary(
    fc.constantFrom(
      "container",
      "follow",
      "previous",
      "tailLines",
      "limitBytes",
      "sinceSeconds",
      "sinceTime",
      "timestamps",
      "command",
      "dryRun",
      "path",
    ),
    odd,
  )
  .map((parameters) => new URLSearchParams(parameters).toString());
const part = fc.constantFrom(
  "log",
  "exec",
  "attach",
  "portforward",
  "proxy",
  "resize",
  "ephemeralcontainers",
);

test("whatever is asked of a Pod's subresources, the answer is a Status, an object or a text", async () => {
  const { request } = await worldWithWeb();
  await fc.assert(
    fc.asyncProperty(
      part,
      fc.constantFrom("GET", "POST", "PUT", "PATCH", "DELETE"),
      query,
      async (name, method, parameters) => {
        const what = `${method} ${core}/pods/web/${name}?${parameters}`;
        expectAnswer(await request(what), what);
      },
    ),
    { numRuns },
  );
});

const bodies: readonly (readonly [path: string, body: fc.Arbitrary<object>])[] = [
  [
    "serviceaccounts/default/token",
    fc.record({ spec: oddObject("audiences", "expirationSeconds", "boundObjectRef") }),
  ],
  [
    "pods/web/eviction",
    fc.record({
      deleteOptions: oddObject("dryRun", "gracePeriodSeconds", "preconditions", "propagationPolicy"),
    }),
  ],
  [
    "pods/web/binding",
    fc.record({ target: oddObject("kind", "name"), metadata: oddObject("uid", "annotations") }),
  ],
];

test.for(bodies)("whatever is sent to %s, the answer is a Status or an object", async ([path, body]) => {
  await fc.assert(
    fc.asyncProperty(body, fc.constantFrom("", "?dryRun=All", "?dryRun=Some"), async (sent, parameters) => {
      const { request } = await worldWithWeb();
      const what = `POST ${core}/${path}${parameters}`;
      expectAnswer(await request(what, sent as JsonObject), `${what} ${JSON.stringify(sent)}`);
    }),
    { numRuns: Math.ceil(numRuns / 5) },
  );
});

const headerText = fc.string({ unit: fc.constantFrom("a", "Z", "%", ":", "-", "2", "f", " ") });
const token = fc.oneof(
  headerText,
  fc.array(fc.base64String(), { minLength: 3, maxLength: 3 }).map((parts) => parts.join(".")),
);

test("whoever a request says it is, the answer is a Status or an object", async () => {
  const { call } = await startHttpsTestApiServer();
  const header = fc.constantFrom(
    "user",
    "group",
    "uid",
    "extra-a",
    "extra-%41",
    "extra-%",
    "extra-",
    "colour",
  );
  await fc.assert(
    fc.asyncProperty(fc.dictionary(header, headerText), fc.option(token), async (parts, bearer) => {
      const headers = Object.fromEntries(
        Object.entries(parts).map(([name, value]) => [`impersonate-${name}`, value]),
      );
      const answer = await call(`GET ${core}/configmaps`, {
        headers: bearer === null ? headers : { ...headers, authorization: `Bearer ${bearer}` },
        anonymous: bearer !== null,
      });
      expect([200, 400, 401, 403]).toContain(answer.code);
      expect(JSON.parse(answer.text)).toHaveProperty("kind");
    }),
    { numRuns: perTier({ unit: 40, full: 1000 }) },
  );
});

const hard = fc.dictionary(
  fc.constantFrom(
    "pods",
    "count/pods",
    "cpu",
    "requests.cpu",
    "limits.memory",
    "services",
    "count/configmaps",
    "requests.storage",
    "requests.example.com/gpu",
  ),
  fc.constantFrom("0", "1", "2", "3500m", "1Gi", "-1", "many"),
);
const scope = fc.constantFrom("BestEffort", "NotBestEffort", "Terminating", "PriorityClass", "Bogus");
const quotaSpec = fc.record({
  hard,
  scopes: fc.array(scope, { maxLength: 2 }),
  scopeSelector: fc.option(
    fc.record({
      matchExpressions: fc.array(
        fc.record({
          scopeName: scope,
          operator: fc.constantFrom("In", "NotIn", "Exists", "DoesNotExist", "Near"),
          values: fc.array(odd, { maxLength: 2 }),
        }),
        { maxLength: 2 },
      ),
    }),
    { nil: undefined },
  ),
});
const amount = fc.constantFrom("0", "100m", "1", "1Gi", "2Gi");
const resources = fc.record({
  requests: fc.dictionary(fc.constantFrom("cpu", "memory", "example.com/gpu"), amount),
  limits: fc.dictionary(fc.constantFrom("cpu", "memory"), amount),
});
const limit = fc.record(
  {
    type: fc.constantFrom("Container", "Pod", "PersistentVolumeClaim", "Bogus"),
    min: fc.dictionary(fc.constantFrom("cpu", "memory"), amount),
    max: fc.dictionary(fc.constantFrom("cpu", "memory"), amount),
    default: fc.dictionary(fc.constantFrom("cpu", "memory"), amount),
    maxLimitRequestRatio: fc.dictionary(fc.constantFrom("cpu"), amount),
  },
  { requiredKeys: ["type"] },
);

interface StoredQuota {
  readonly status?: { readonly hard?: object; readonly used?: Readonly<Record<string, string>> };
}

test("whatever quotas and limits there are, writes are admitted or forbidden, and what is used is what there is", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(quotaSpec, { maxLength: 3 }),
      fc.array(limit, { maxLength: 2 }),
      fc.array(resources, { maxLength: 5 }),
      async (specs, limits, demands) => {
        const { request } = await startTestApiServer();
        for (const [index, spec] of specs.entries())
          expectAnswer(
            await request(`POST ${core}/resourcequotas`, {
              metadata: { name: `q${index}` },
              spec: spec as unknown as JsonObject,
            }),
            "quota",
          );
        expectAnswer(
          await request(`POST ${core}/limitranges`, {
            metadata: { name: "l" },
            spec: { limits } as unknown as JsonObject,
          }),
          "limits",
        );
        let created = 0;
        for (const [index, own] of demands.entries()) {
          const containers = [{ name: "app", image: "app:1", resources: own }];
          const answer = await request(`POST ${core}/pods`, podOf(`p${index}`, { containers }));
          expectAnswer(answer, JSON.stringify(own));
          if (answer.code === 201) created++;
        }
        const { body } = await request(`GET ${core}/resourcequotas`);
        for (const { status } of body["items"] as readonly StoredQuota[])
          expect(Number(status?.used?.["count/pods"] ?? 0)).toBeLessThanOrEqual(created);
      },
    ),
    { numRuns: Math.ceil(numRuns / 4) },
  );
});
