import { describe, expect, test } from "vitest";
import type { Secret } from "../../../../api/generated/core-v1.ts";
import type { Sent } from "../../../../api/sent.ts";
import { problemsOf, problemsOfUpdate } from "../workload/workload-fixture.cases.ts";
import { secretStrategy } from "./strategy.ts";

describe("the defaults of a Secret", () => {
  test("are opaque", () => {
    expect(secretStrategy.defaults?.({}).type).toBe("Opaque");
  });

  test("turn texts into data, and a text beats the data of its key", () => {
    const sent = { type: "x", data: { a: "b2xk", b: "eA==" }, stringData: { a: "new", c: "ü" } };
    expect(secretStrategy.defaults?.(sent)).toEqual({ type: "x", data: { a: "bmV3", b: "eA==", c: "w7w=" } });
  });
});

const tls = "kubernetes.io/tls";
test.for<{ name: string; sent: Sent<Secret>; want: string[] }>([
  { name: "is fine", sent: { stringData: { password: "x" } }, want: [] },
  {
    name: "has keys that are files",
    sent: { data: { "..x": "" } },
    want: ["data[..x]: Invalid value: \"..x\": must not start with '..'"],
  },
  {
    name: "for TLS is complete",
    sent: { type: tls, data: { "tls.crt": "" } },
    want: ["data[tls.key]: Required value"],
  },
  {
    name: "for logging in says something",
    sent: { type: "kubernetes.io/basic-auth" },
    want: ["data[username]: Required value", "data[password]: Required value"],
  },
  {
    name: "of an account says whose it is",
    sent: { type: "kubernetes.io/service-account-token" },
    want: ["metadata.annotations[kubernetes.io/service-account.name]: Required value"],
  },
  {
    name: "is not endless",
    sent: { data: { a: "A".repeat(4 * 349_526) } },
    want: ["data: Too long: may not be more than 1048576 bytes"],
  },
])("a Secret $name", ({ sent, want }) => {
  expect(problemsOf(secretStrategy, sent)).toEqual(want);
});

test("a Secret keeps its type", () => {
  expect(problemsOfUpdate(secretStrategy, { type: "a" }, { type: "b" })).toEqual([
    'type: Invalid value: "a": field is immutable',
  ]);
  expect(secretStrategy.selectableFields?.({ type: "a" })).toEqual({ type: "a" });
});
