import { expect, test } from "vitest";
import { defaultFeatureGates } from "../../api/feature-gates.ts";
import { pod } from "../../testing/pod.ts";
import type { PickerOutcome } from "./picker-outcome.ts";
import { pickerProgress, type RemovalRequest } from "./picker-progress.ts";
import type { AskedPicker, KnownPicker } from "./picker-state.ts";

const now = 100_000;
const pods = ["a", "b", "c", "d"].map((name) => pod(name));
const request: RemovalRequest = {
  pods,
  count: 2,
  size: 2,
  facts: { now, gates: defaultFeatureGates, related: () => 0 },
};
const known: KnownPicker = { json: "{}", protocol: "http", timeoutMs: 1000, now };
const question = {
  picker: "{}",
  size: 2,
  count: 2,
  requested: 2,
  candidates: new Map(pods.map(({ metadata }) => [metadata.uid, metadata.name])),
};

const progressOf = (picker: Partial<KnownPicker>, changed: Partial<RemovalRequest> = {}) =>
  pickerProgress(
    { health: { kind: "unknown" }, isAsked: false, picker: { ...known, ...picker } },
    { ...request, ...changed },
  );

const inFlight: AskedPicker = { question, deadlineAt: now + 400, state: { kind: "in flight" } };
function ended(outcome: PickerOutcome, expiresAt = now + 1): AskedPicker {
  return { ...inFlight, state: { kind: "completed", outcome, tookMs: 5, expiresAt } };
}

const ignored = { unknown: 0, duplicate: 0, inBothLists: 0 };
const ranked: PickerOutcome = {
  kind: "answered",
  answer: { kind: "Ranked", chosen: new Set(["c"]), tied: new Set(), ignored },
  attempts: 1,
};
const failed: PickerOutcome = { kind: "failed", failure: { class: "Refused" }, attempts: 1 };
const other = [...pods, pod("e")];

test("without a picker there is nothing to ask", () => {
  expect(pickerProgress({ health: { kind: "none" }, isAsked: false }, request)).toEqual({ kind: "none" });
});

test("the first question gets all of the timeout", () => {
  expect(progressOf({})).toEqual({ kind: "not-asked", question, deadlineAt: now + 1000, isConflict: false });
});

test.for([
  { name: "asked", call: inFlight, want: { kind: "pending" } },
  {
    name: "asked about other Pods",
    call: inFlight,
    changed: { pods: other },
    want: { kind: "not-asked", deadlineAt: now + 400 },
  },
  {
    name: "asked for too long about other Pods",
    call: { ...inFlight, deadlineAt: now },
    changed: { pods: other },
    want: { kind: "settled", outcome: { class: "Timeout" }, isCounted: false },
  },
  {
    name: "one that has answered",
    call: ended(ranked),
    want: { kind: "settled", picks: { chosen: new Set(["c"]) }, count: 2, isCounted: true },
  },
  {
    name: "one that has answered, when more have to go",
    call: ended(ranked),
    changed: { count: 3, size: 1 },
    want: { kind: "settled", count: 2 },
  },
  {
    name: "one that has answered for other Pods",
    call: ended(ranked),
    changed: { pods: other },
    want: { kind: "not-asked" },
  },
  { name: "one that has answered too long ago", call: ended(ranked, now), want: { kind: "not-asked" } },
  {
    name: "one that has failed for other Pods",
    call: ended(failed),
    changed: { pods: other },
    want: { kind: "settled", outcome: { outcome: "Failed", class: "Refused" } },
  },
])("what is done about a picker: $name", ({ call, changed, want }) => {
  expect(progressOf({ call }, changed)).toMatchObject(want);
});

test("a picker that is not called leaves the order to the rules, and says why", () => {
  const refusal = { class: "Suspended" };
  expect(progressOf({ refusal })).toMatchObject({ kind: "settled", outcome: { class: "Suspended" } });
});

test("where the rules above it leave nothing to choose a picker is not needed, and a conflict is told", () => {
  const priced = pods.map(({ metadata: { name } }, index) => pod(name, { deletionCost: index }));
  expect(progressOf({}, { pods: priced })).toMatchObject({
    kind: "settled",
    outcome: { outcome: "NotNeeded" },
    isConflict: true,
  });
});
