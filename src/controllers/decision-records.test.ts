import { expect, test } from "vitest";
import { defaultFeatureGates } from "../api/feature-gates.ts";
import type { RemovalRecord } from "../decisions/explain/removal-record.ts";
import { DecisionRecords } from "./decision-records.ts";

function record(name: string, time: string, candidates = 1, namespace = "default"): RemovalRecord {
  return {
    time,
    workload: { kind: "ReplicaSet", namespace, name, uid: name },
    removing: 1,
    of: candidates,
    gates: defaultFeatureGates,
    rules: [],
    candidates: Array.from({ length: candidates }, (_, index) => ({
      pod: `${name}-${index}`,
      uid: `${index}`,
      verdict: "goes",
      keys: [],
      reason: "all Pods go",
    })),
  };
}

const timesOf = (records: readonly RemovalRecord[]) => records.map(({ time }) => time);
const web = { namespace: "default", name: "web" };

test("records are found by workload, newest first", () => {
  const records = new DecisionRecords();
  for (const time of ["1", "2"]) records.add(record("web", time));
  records.add(record("api", "3"));
  expect(timesOf(records.find(web))).toEqual(["2", "1"]);
});

test("of one workload only the latest are kept", () => {
  const records = new DecisionRecords({ perWorkload: 2 });
  for (const time of ["1", "2", "3"]) records.add(record("web", time));
  records.add(record("api", "4"));
  expect(timesOf(records.find(web))).toEqual(["3", "2"]);
  expect(timesOf(records.find({ ...web, name: "api" }))).toEqual(["4"]);
});

test("of all together only so many candidates are kept, the oldest records go first", () => {
  const records = new DecisionRecords({ candidates: 10 });
  records.add(record("web", "1", 6));
  records.add(record("api", "2", 4));
  expect(timesOf(records.find(web))).toEqual(["1"]);
  records.add(record("job", "3", 1));
  expect(timesOf(records.find(web))).toEqual([]);
  expect(timesOf(records.find({ ...web, name: "api" }))).toEqual(["2"]);
});

test("the newest record is kept, however large it is", () => {
  const records = new DecisionRecords({ candidates: 10 });
  records.add(record("api", "1"));
  records.add(record("web", "2", 1000));
  expect(timesOf(records.find({ namespace: "", name: "" }))).toEqual(["2"]);
});

test.for([
  { name: "one workload", namespace: "default", workload: "web", want: ["3", "1"] },
  { name: "one namespace", namespace: "default", workload: "", want: ["3", "2", "1"] },
  { name: "everything", namespace: "", workload: "", want: ["4", "3", "2", "1"] },
  { name: "nothing under a name nobody has", namespace: "default", workload: "none", want: [] },
])("the records of $name can be asked for", ({ namespace, workload, want }) => {
  const records = new DecisionRecords();
  records.add(record("web", "1"));
  records.add(record("api", "2"));
  records.add(record("web", "3"));
  records.add(record("web", "4", 1, "elsewhere"));
  expect(timesOf(records.find({ namespace, name: workload }))).toEqual(want);
});
