import { expect, test } from "vitest";
import type { JsonObject } from "../../api/json.ts";
import { subjectAccessReviews, tokenReviews } from "../../api/resources.ts";
import { collectingLogger } from "../../testing/collecting-logger.ts";
import { apiFailure } from "../client/api-error.ts";
import type { Client } from "../client/client.ts";
import { VirtualClock } from "../clock/virtual-clock.ts";
import { delegatedAuthorizer } from "./delegated-authorizer.ts";

const jane = { username: "jane", uid: "7", groups: ["dev"], extra: { scope: ["a"] } };
const authorization = "Bearer janes-secret";
const metrics = { authorization, verb: "get", path: "/metrics" };

/** An authorizer whose API server knows the token of jane, who may get /metrics. */
function start({ answer = serve }: { answer?: typeof serve } = {}) {
  const clock = new VirtualClock();
  const log = collectingLogger();
  const reviews: { kind: string; spec: JsonObject }[] = [];
  const create = async (resource: { kind: string }, draft: { spec: JsonObject }, options: object) => {
    reviews.push({ kind: resource.kind, spec: draft.spec });
    return { ...draft, status: await answer(resource.kind, draft.spec, options as { signal: AbortSignal }) };
  };
  const client = { create } as unknown as Pick<Client, "create">;
  const authorize = delegatedAuthorizer({ client, clock, log });
  const kinds = () => reviews.map(({ kind }) => kind);
  return { authorize, clock, log, reviews, kinds };
}

function serve(kind: string, spec: JsonObject, _options: { signal: AbortSignal }): Promise<JsonObject> {
  if (kind === tokenReviews.kind)
    return Promise.resolve(
      spec["token"] === "janes-secret" ? { authenticated: true, user: jane } : { authenticated: false },
    );
  const { path } = spec["nonResourceAttributes"] as { path: string };
  return Promise.resolve({ allowed: path === "/metrics" });
}

test.for([
  { name: "a user who may read the path is let in", request: metrics, want: { allowed: true } },
  {
    name: "a user who may not is told who cannot do what",
    request: { ...metrics, path: "/debug/decisions" },
    want: { code: 403, message: 'forbidden: User "jane" cannot get path "/debug/decisions"' },
  },
  { name: "a stranger is unknown", request: { ...metrics, authorization: undefined }, want: { code: 401 } },
  { name: "a guess is unknown", request: { ...metrics, authorization: "Bearer guess" }, want: { code: 401 } },
  {
    name: "a password is unknown",
    request: { ...metrics, authorization: "Basic amFuZQ==" },
    want: { code: 401 },
  },
])("$name", async ({ request, want }) => {
  expect(await start().authorize(request)).toMatchObject(want);
});

test("the API server is asked about the whole user, the verb and the path", async () => {
  const { authorize, reviews } = start();
  await authorize(metrics);
  expect(reviews).toEqual([
    { kind: tokenReviews.kind, spec: { token: "janes-secret" } },
    {
      kind: subjectAccessReviews.kind,
      spec: {
        user: "jane",
        uid: "7",
        groups: ["dev"],
        extra: { scope: ["a"] },
        nonResourceAttributes: { path: "/metrics", verb: "get" },
      },
    },
  ]);
});

test("scrapes within ten seconds take one review, and a token that was withdrawn is refused after that", async () => {
  let isValid = true;
  const { authorize, clock, kinds } = start({
    answer: (kind, spec, options) =>
      isValid ? serve(kind, spec, options) : Promise.resolve({ authenticated: false }),
  });
  await Promise.all([authorize(metrics), authorize(metrics), authorize(metrics)]);
  isValid = false;
  await clock.advance(9999);
  expect(await authorize(metrics)).toEqual({ allowed: true });
  expect(kinds()).toEqual(["TokenReview", "SubjectAccessReview"]);
  await clock.advance(1);
  expect(await authorize(metrics)).toMatchObject({ code: 401 });
});

test.for([
  { name: "is away", answer: () => Promise.reject(new Error("connect ECONNREFUSED janes-secret")) },
  { name: "refuses reviews", answer: () => Promise.reject(apiFailure(403, "Forbidden")) },
  {
    name: "hangs",
    answer: (_kind: string, _spec: JsonObject, { signal }: { signal: AbortSignal }) =>
      new Promise<JsonObject>((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason as Error));
      }),
  },
])("nobody is let in while the API server $name, and no token is logged", async ({ answer }) => {
  const { authorize, clock, log } = start({ answer });
  const decided = authorize(metrics);
  await clock.advance(10_000);
  expect(await decided).toEqual({
    allowed: false,
    code: 503,
    message: "the API server does not answer whether this request is allowed",
  });
  expect(log.entries).toHaveLength(1);
  expect(JSON.stringify(log.entries)).not.toContain("janes-secret");
});

test("a failed review is not remembered", async () => {
  let isAway = true;
  const { authorize } = start({
    answer: (kind, spec, options) =>
      isAway ? Promise.reject(new Error("away")) : serve(kind, spec, options),
  });
  expect(await authorize(metrics)).toMatchObject({ code: 503 });
  isAway = false;
  expect(await authorize(metrics)).toEqual({ allowed: true });
});

test("a flood of guesses sends only twenty reviews at a time", async () => {
  const { authorize, clock, reviews } = start({ answer: () => new Promise(() => undefined) });
  const decided = Array.from({ length: 100 }, (_, index) =>
    authorize({ ...metrics, authorization: `Bearer guess-${index}` }),
  );
  await clock.settle();
  expect(reviews).toHaveLength(20);
  expect(await decided.at(-1)).toMatchObject({ code: 503 });
});
