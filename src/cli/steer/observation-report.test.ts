import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Observation } from "../../decisions/stock/observation.ts";
import { steer } from "../commands/steer.ts";
import { observationFile } from "./observation-file.ts";
import { reportObservations } from "./observation-report.ts";

function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), "trimtab-observations-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

function report(words: readonly string[], output = "text") {
  const [out, err]: [string[], string[]] = [[], []];
  const terminal = {
    out: (text: string) => void out.push(text),
    err: (text: string) => void err.push(text),
    interrupted: new AbortController().signal,
  };
  const code = reportObservations(steer, { flags: { output }, arguments: ["report", ...words] }, terminal);
  return { code, out: out.join("\n"), err: err.join("\n") };
}

const removal = (workload: string, wouldRemove: readonly string[], removed: readonly string[], day = "01") =>
  ({ kind: "removal", at: `2026-11-${day}T00:00:00Z`, workload, wouldRemove, removed }) satisfies Observation;

test("the files of all copies are merged, and the workloads that differ most come first", () => {
  const folder = temporaryFolder();
  const fail = (problem: string) => expect.unreachable(problem);
  const [one, other] = ["a", "b/c"].map((identity) => observationFile(folder, identity, fail));
  one?.add(removal("shop/api", ["x"], ["x"]));
  one?.add(removal("shop/web", ["a", "b"], ["a", "c"], "03"));
  other?.add(removal("shop/web", ["d"], ["d"], "02"));
  other?.add({ kind: "growth", at: "2026-11-04T00:00:00Z", workload: "shop/web", asked: 9, wouldAdmit: 6 });
  const { code, out, err } = report([folder]);
  expect([code, err]).toEqual([0, ""]);
  expect(out.split("\n")).toEqual([
    "3 scale-downs of 2 workloads: 1 removed other Pods than trimtab steer would have; growth exceeded a budget 1 times",
    "",
    "WORKLOAD   SCALE-DOWNS   DIFFERED   OTHER PODS   OVER BUDGET   BY AT MOST   FIRST                  LAST",
    "shop/web   2             1          1            1             3            2026-11-02T00:00:00Z   2026-11-04T00:00:00Z",
    "shop/api   1             0          0            0             0            2026-11-01T00:00:00Z   2026-11-01T00:00:00Z",
  ]);
  const { workloads } = JSON.parse(report([folder], "json").out) as { workloads: readonly object[] };
  expect(workloads[0]).toMatchObject({ workload: "shop/web", differing: 1, mostBeyond: 3 });
  expect(report([folder], "html").out).toContain("<td>shop/web</td><td>2</td>");
});

test("lines that are no observations are counted, and what cannot be read is said", () => {
  const file = path.join(temporaryFolder(), "cut.observations.jsonl");
  appendFileSync(file, `${JSON.stringify(removal("a/b", [], []))}\n{"kind":"removal","at":"now"}\n{"kind`);
  expect(report([file])).toMatchObject({ code: 0, err: "2 lines could not be read and are left out" });
  expect(report(["/no/such/folder"])).toMatchObject({
    code: 1,
    err: expect.stringContaining("trimtab steer: /no/such/folder: ") as string,
  });
  expect(report([])).toMatchObject({ code: 1 });
  expect(report([temporaryFolder()]).out).toBe("Nothing was observed.");
});

test("a name cannot become part of the page", () => {
  const folder = temporaryFolder();
  observationFile(folder, "a", () => undefined).add(removal("<script>", [], []));
  expect(report([folder], "html").out).toContain("<td>&lt;script&gt;</td>");
});

test("the ConfigMap of summaries is read as kubectl prints it, beside files", () => {
  const folder = temporaryFolder();
  const summary = (workload: string, differing: number, last: string) => ({
    workload,
    removals: 4,
    differing,
    otherPods: differing,
    exceeded: 1,
    mostBeyond: 2,
    first: "2026-11-01T00:00:00Z",
    last,
  });
  const data = {
    one: JSON.stringify([summary("shop/web", 1, "2026-11-03T00:00:00Z")]),
    other: JSON.stringify([
      summary("shop/web", 2, "2026-11-05T00:00:00Z"),
      summary("shop/api", 0, "2026-11-02T00:00:00Z"),
    ]),
    cut: "[{",
  };
  const file = path.join(folder, "map.json");
  appendFileSync(file, JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", data }, undefined, 4));
  observationFile(folder, "a", () => undefined).add(removal("shop/api", ["x"], ["y"]));
  const { code, out, err } = report([file, folder], "json");
  expect([code, err]).toEqual([0, "1 lines could not be read and are left out"]);
  expect((JSON.parse(out) as { workloads: readonly object[] }).workloads).toEqual([
    expect.objectContaining({
      workload: "shop/web",
      removals: 8,
      differing: 3,
      last: "2026-11-05T00:00:00Z",
    }),
    expect.objectContaining({ workload: "shop/api", removals: 5, differing: 1, exceeded: 1 }),
  ]);
});
