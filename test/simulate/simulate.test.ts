import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { folderWith, type, typed } from "../cli/type-command.ts";

const failing = fileURLToPath(new URL("failing.yaml", import.meta.url));
const golden = (name: string) => fileURLToPath(new URL(`../golden/${name}`, import.meta.url));

const scenario = `apiVersion: trimtab.dev/v1alpha1
kind: Scenario
duration: 10m
nodes: 3
manifests:
  - apiVersion: apps/v1
    kind: ReplicaSet
    metadata: { name: web }
    spec:
      replicas: 3
      selector: { matchLabels: { app: web } }
      template: { metadata: { labels: { app: web } }, spec: { containers: [{ name: web, image: web }] } }
events: [{ at: 5m, scale: { workload: rs/web, replicas: 2 } }]
assertions:
  - { name: "three & no more", workload: rs/web, pods: { atMost: 3 } }
`;

test("a scenario that fails says when, what changed, and which decision it was", async () => {
  const { code, out, err } = await typed("simulate", failing, "--seed", "2");
  expect({ code, err }).toEqual({ code: 1, err: "" });
  await expect(`${out}\n`).toMatchFileSnapshot(golden("simulate-failure.txt"));
});

test("a scenario that passes exits with 0, and is called after its file", async () => {
  const folder = folderWith({ "web.yaml": scenario });
  expect(await typed("simulate", path.join(folder, "web.yaml"), "--seed", "5")).toEqual({
    code: 0,
    out: "PASS  web, seed 5, 10m0s\n  ok    three & no more  (3 at 0s)",
    err: "",
  });
});

test("-o junit is a suite for each run and a case for each assertion", async () => {
  const folder = folderWith({ "web.yaml": scenario.replace("atMost: 3", "atMost: 2") });
  const file = path.join(folder, "web.yaml");
  const { code, out } = await typed("simulate", file, "-o", "junit");
  expect(code).toBe(1);
  expect(out.split("\n").slice(0, 5)).toEqual([
    '<?xml version="1.0" encoding="UTF-8"?>',
    "<testsuites>",
    `  <testsuite name="web, seed 1" file="${file}" tests="1" failures="1">`,
    '    <testcase name="three &amp; no more">',
    '      <failure message="at 0s: 3 Pods, more than 2">at 0s (2026-01-01T00:00:00Z): 3 Pods, more than 2',
  ]);
});

test("-o github is the text, and an annotation for the line of each assertion that fails", async () => {
  const folder = folderWith({ "web.yaml": scenario.replace("atMost: 3", "atMost: 2") });
  const file = path.join(folder, "web.yaml");
  const { code, out } = await typed("simulate", file, "-o", "github");
  expect(code).toBe(1);
  expect(out.split("\n")[0]).toBe("FAIL  web, seed 1, 10m0s");
  expect(out.split("\n").at(-1)).toBe(
    `::error file=${file},line=15,title=three & no more::seed 1: at 0s: 3 Pods, more than 2`,
  );
});

test("-o github annotates mistakes in files too", async () => {
  const folder = folderWith({ "web.yaml": scenario.replace("duration: 10m", "duration: 10 %") });
  const file = path.join(folder, "web.yaml");
  const { code, out, err } = await typed("simulate", file, "-o", "github");
  expect(code).toBe(1);
  expect(err).toContain(`${file}:3:11: duration: `);
  expect(out).toMatch(
    /^::error file=.*web\.yaml,line=3,col=11,title=Mistake in the scenario::duration: .*10 %25/,
  );
});

test("-o json has the result of every file, a series on one line each", async () => {
  const folder = folderWith({ "a.yaml": scenario, "b.yaml": scenario });
  const { code, out } = await typed(
    "simulate",
    path.join(folder, "a.yaml"),
    path.join(folder, "b.yaml"),
    "-o",
    "json",
  );
  expect(code).toBe(0);
  const results = JSON.parse(out) as { readonly results: readonly object[] };
  expect(results).toMatchObject({
    kind: "ScenarioResults",
    passed: true,
    results: [
      { scenario: "a" },
      { scenario: "b", series: { samples: 601 }, removedPods: [{ isBusy: false }] },
    ],
  });
  expect(out).toMatch(/"desired": \[(\d+,)+\d+\]/);
});

test("a scenario may begin with a snapshot, whose workloads and zones it names", async () => {
  const snapshot = fileURLToPath(new URL("../../examples/what-if/cluster.yaml", import.meta.url));
  const text = `apiVersion: trimtab.dev/v1alpha1
kind: Scenario
snapshot: ${snapshot}
duration: 10m
events: [{ at: 1m, scale: { workload: deployment/web, replicas: 2 } }]
assertions:
  - { workload: deployment/web, readyPods: { exactly: 6 }, until: 1m }
  - { workload: deployment/web, readyPods: { exactly: 2 }, at: end }
`;
  const folder = folderWith({
    "scale.yaml": text,
    "wrong.yaml": text.replace("deployment/web, replicas", "deployment/wep, replicas"),
  });
  expect(await typed("simulate", path.join(folder, "scale.yaml"))).toMatchObject({ code: 0, err: "" });
  const wrong = await typed("simulate", path.join(folder, "wrong.yaml"));
  expect(wrong.err).toContain('no manifest has it; did you mean "web"?');
});

test("--compare shows two files side by side on the same seed, and fails if one of them does", async () => {
  const folder = folderWith({
    "keep.yaml": scenario.replace("replicas: 2", "replicas: 3"),
    "less.yaml": `seed: 7\n${scenario}`,
    "wrong.yaml": scenario.replace("atMost: 3", "atMost: 2"),
  });
  const [keep, less, wrong] = ["keep", "less", "wrong"].map((name) => path.join(folder, `${name}.yaml`));
  const { code, out } = await typed("simulate", "--compare", keep ?? "", less ?? "");
  expect(code).toBe(0);
  expect(out).toMatch(/^PASS {2}a +keep .+\nPASS {2}b +less .+\n\n +a +b +b - a\n/);
  expect(out).toMatch(/^Pods removed while busy +0 +0 +0$/m);
  expect(out).toMatch(/^Pod-hours +0\.50 +0\.4\d +-0\.0\d$/m);
  const data = await typed("simulate", "--compare", keep ?? "", wrong ?? "", "-o", "json");
  expect(data.code).toBe(1);
  expect(JSON.parse(data.out)).toMatchObject({
    kind: "ScenarioComparison",
    passed: false,
    scenarios: {
      a: { scenario: "keep", passed: true, failingSeeds: [] },
      b: { scenario: "wrong", passed: false, failingSeeds: [1] },
    },
    measures: {
      assertionsFailed: { a: { median: 0 }, b: { median: 1 }, difference: { median: 1, higher: 1 } },
    },
    seeds: [{ seed: 1, a: { assertionsFailed: 0 }, b: { assertionsFailed: 1 } }],
  });
});

test("a recording is replayed at any time", async () => {
  const folder = folderWith({ "web.yaml": scenario });
  const [file, recording] = [path.join(folder, "web.yaml"), path.join(folder, "web.rec")];
  expect(await typed("simulate", file, "--record", recording)).toMatchObject({ code: 0 });
  const before = await typed("simulate", "--replay", recording, "--at", "4m");
  expect(before.out).toContain("web, seed 1, at 4m0s of 10m0s (2026-01-01T00:04:00Z)");
  expect(before.out).toMatch(/ReplicaSet default\/web +3 +3 +0 +0 +0 +zone-a: 1, zone-b: 1, zone-c: 1 +yes/);
  const after = await typed("simulate", "--replay", recording);
  expect(after.out).toMatch(/ReplicaSet default\/web +2 +2/);
  expect(after.out).toMatch(
    /5m0s +scenario: scale replicaset\/web to 2\n +5m0s +ReplicaSet default\/web: removes 1 of 3 Pods: web-/,
  );
  const { out } = await typed("simulate", "--replay", recording, "-o", "json");
  expect(JSON.parse(out)).toMatchObject({ atSeconds: 600, workloads: [{ desired: 2 }] });
  expect(readFileSync(recording, "utf8").split("\n")[0]).toContain('"kind":"Recording"');
});

test.for([
  { name: "one run", words: ["--seeds", "1"] },
  { name: "a recorded run", words: ["--seeds", "1", "--record", "web.rec"] },
  { name: "runs in threads", words: ["--seeds", "100"] },
])("an interruption ends $name", async ({ words }) => {
  const folder = folderWith({ "web.yaml": scenario.replace("duration: 10m", "duration: 8000h") });
  const typedWords = words.map((word) => (word === "web.rec" ? path.join(folder, word) : word));
  const { code, out, err, interrupt } = type("simulate", path.join(folder, "web.yaml"), ...typedWords);
  interrupt();
  expect(await code).toBe(1);
  expect({ out, err }).toEqual({ out: [], err: [expect.stringContaining("interrupted")] });
});

test.for([
  { name: "no file", words: [], says: "give the scenario files to run" },
  { name: "a file that is not there", words: ["nope.yaml"], says: "nope.yaml: no such file" },
  {
    name: "annotations of a recording",
    words: ["--replay", "x", "-o", "github"],
    says: "--replay does not print github",
  },
  {
    name: "an unknown output",
    words: ["-o", "html", "x"],
    says: 'must be one of text, json, junit, github, not "html"',
  },
  { name: "no number", words: ["--seeds", "many", "x"], says: "--seeds must be a number from 1" },
  { name: "a time without a recording", words: ["--at", "5m", "x"], says: "--at goes with --replay" },
  { name: "a recording that is not there", words: ["--replay", "nope"], says: "nope: no such file" },
  { name: "a recording that is none", words: ["--replay", failing], says: "line 1: not a recording" },
  {
    name: "one file to compare",
    words: ["--compare", "x"],
    says: "--compare takes two files, not 1",
  },
  {
    name: "a comparison as JUnit",
    words: ["--compare", "x", "y", "-o", "junit"],
    says: "--compare prints text or json",
  },
  {
    name: "two recordings",
    words: [failing, "--record", "x", "--seeds", "2"],
    says: "--record records one run",
  },
  {
    name: "a report that cannot be written",
    words: [failing, "--report", "/nowhere/at/all.html"],
    says: "--report /nowhere/at/all.html: ENOENT",
  },
  {
    name: "a recording that cannot be written",
    words: [failing, "--record", "/nowhere/at/all"],
    says: "--record /nowhere/at/all: ENOENT",
  },
])("$name is one sentence and exit code 1", async ({ words, says }) => {
  const { code, out, err } = await typed("simulate", ...words);
  expect({ code, out }).toEqual({ code: 1, out: "" });
  expect(err.split("\n")).toHaveLength(1);
  expect(err).toContain(says);
});
