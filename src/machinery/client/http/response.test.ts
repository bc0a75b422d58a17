import { expect, test } from "vitest";
import { pods } from "../../../api/resources.ts";
import { isGone } from "../api-error.ts";
import type { OutgoingRequest } from "./request.ts";
import { apiErrorOf, listOf, parseResponse, isStillPresent, retryAfterMs } from "./response.ts";

const request: OutgoingRequest = { method: "GET", path: "/api/v1/pods" };

test("a Status is taken as it is, with the code of the answer where it has none", () => {
  const status = {
    kind: "Status",
    reason: "NotFound",
    message: 'pods "x" not found',
    details: { name: "x" },
  };
  const failure = apiErrorOf(request, 404, JSON.stringify(status));
  expect(failure.status).toEqual({ ...status, code: 404 });
  expect(failure.message).toBe('pods "x" not found');
});

test.for([
  {
    name: "a proxy's page",
    code: 502,
    text: "<html>\n  bad gateway",
    reason: "InternalError",
    says: "<html> bad gateway",
  },
  {
    name: "nothing",
    code: 401,
    text: "",
    reason: "Unauthorized",
    says: "GET /api/v1/pods: the server answered 401",
  },
  {
    name: "JSON that is no Status",
    code: 403,
    text: '{"kind":"Pod"}',
    reason: "Forbidden",
    says: '{"kind":"Pod"}',
  },
  { name: "a redirect", code: 302, text: "", reason: "Unknown", says: "302" },
  {
    name: "a long page",
    code: 503,
    text: "x".repeat(9999),
    reason: "ServiceUnavailable",
    says: `${"x".repeat(200)}…`,
  },
])("a refusal with $name becomes a Status that says so", ({ code, text, reason, says }) => {
  const failure = apiErrorOf(request, code, text);
  expect(failure.status).toMatchObject({ kind: "Status", status: "Failure", code, reason });
  expect(failure.message).toContain(says);
});

test("410 is gone, whatever its reason", () => {
  expect(isGone(apiErrorOf(request, 410, ""))).toBe(true);
});

test.for(["<html>", "", "null", "[]"])("the answer %j to a successful request is an error", (text) => {
  expect(() => parseResponse(request, text)).toThrow(/^GET \/api\/v1\/pods: the answer is not/);
});

test("a list says where it is and what is left, and its items say what they are", () => {
  const item = { metadata: { name: "a" } };
  expect(
    listOf(pods, {
      metadata: { resourceVersion: "9", continue: "e30", remainingItemCount: 3 },
      items: [item],
    }),
  ).toEqual({
    items: [{ apiVersion: "v1", kind: "Pod", ...item }],
    resourceVersion: "9",
    continue: "e30",
    remainingItemCount: 3,
  });
  expect(listOf(pods, { metadata: { resourceVersion: "9", continue: "" }, items: null })).toEqual({
    items: [],
    resourceVersion: "9",
  });
});

const deletionTimestamp = "2026-01-01T00:00:00Z";

test.for([
  { name: "a Status", body: { kind: "Status", status: "Success", metadata: {} }, want: false },
  { name: "an object without marks", body: { metadata: {} }, want: false },
  {
    name: "an object without grace",
    body: { metadata: { deletionTimestamp, deletionGracePeriodSeconds: 0 } },
    want: false,
  },
  {
    name: "an object with grace",
    body: { metadata: { deletionTimestamp, deletionGracePeriodSeconds: 30 } },
    want: true,
  },
  {
    name: "an object with finalizers",
    body: { metadata: { deletionTimestamp, deletionGracePeriodSeconds: 0, finalizers: ["a/b"] } },
    want: true,
  },
  {
    name: "a namespace",
    body: { metadata: { deletionTimestamp }, spec: { finalizers: ["kubernetes"] } },
    want: true,
  },
])("$name in the answer to a delete: something remains: $want", ({ body, want }) => {
  expect(isStillPresent(body)).toBe(want);
});

test.for([
  { code: 429, header: "3", want: 3000 },
  { code: 503, header: "0", want: 0 },
  { code: 429, header: "99999", want: 60_000 },
  { code: 429, header: "Wed, 21 Oct 2026 07:28:00 GMT", want: 1000 },
  { code: 429, header: undefined, want: undefined },
  { code: 500, header: "1", want: undefined },
])("after $code with Retry-After $header we wait $want ms", ({ code, header, want }) => {
  expect(retryAfterMs(code, header)).toBe(want);
});
