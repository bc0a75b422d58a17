import { expect, test } from "vitest";
import { playOfFile } from "./opened-file.ts";

test.for([
  "apiVersion: trimtab.dev/v1alpha1\nkind: Snapshot\n",
  '{\n  "apiVersion": "trimtab.dev/v1alpha1",\n  "kind": "Snapshot"\n}',
])("a snapshot becomes a scenario that begins with it", (text) => {
  const { scenario, files } = playOfFile(text);
  expect(scenario).toContain("snapshot: snapshot.yaml");
  expect(files).toEqual({ "snapshot.yaml": text });
});

test("any other file is a scenario", () => {
  expect(playOfFile("kind: Scenario\n")).toEqual({ scenario: "kind: Scenario\n" });
});
