import { expect, test } from "vitest";
import { apiFailure } from "../../src/machinery/client/api-error.ts";
import {
  afterFailure,
  allOpening,
  pageConnectionOf,
  type WatchHealth,
  type WatchHealths,
} from "./connection.ts";
import { watchedKinds } from "./kinds.ts";

const healths = (changed: Partial<WatchHealths>): WatchHealths => ({
  ...(Object.fromEntries(watchedKinds.map((kind) => [kind, { kind: "current" }])) as WatchHealths),
  ...changed,
});
const lost = (since: number): WatchHealth => ({ kind: "lost", since, message: "gone" });

test.for([
  { name: "nothing is listed yet", given: allOpening, want: { kind: "opening" } },
  { name: "every watch is current", given: healths({}), want: { kind: "live", refused: [] } },
  {
    name: "one kind may not be read",
    given: healths({ services: { kind: "refused", message: "forbidden" } }),
    want: { kind: "live", refused: [{ name: "services", message: "forbidden" }] },
  },
  { name: "one watch is lost", given: healths({ services: lost(5) }), want: lost(5) },
  {
    name: "several are lost, the first since longest",
    given: healths({ pods: lost(9), nodes: lost(4) }),
    want: lost(4),
  },
])("the connection when $name", ({ given, want }) => {
  expect(pageConnectionOf(given, false)).toEqual(want);
});

test("a session that has ended is said before everything else", () => {
  expect(pageConnectionOf(healths({ pods: lost(1) }), true)).toEqual({ kind: "session-ended" });
});

test("a failure that goes on is lost since its first attempt", () => {
  const first = afterFailure({ kind: "current" }, new Error("reset"), 10);
  expect(afterFailure(first, new Error("refused"), 20)).toEqual({
    kind: "lost",
    since: 10,
    message: "refused",
  });
});

test("a refusal by the API server is no lost connection", () => {
  const refused = afterFailure({ kind: "opening" }, apiFailure(403, "Forbidden", "cannot list services"), 10);
  expect(refused).toEqual({ kind: "refused", message: "cannot list services" });
});
