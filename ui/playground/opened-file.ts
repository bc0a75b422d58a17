import type { Play } from "./messages.ts";

/** What a scenario names, and the page has beside it. */
const snapshotFile = "snapshot.yaml";

/** A scenario that is made around a snapshot: an hour in which nothing is planned. */
const aroundSnapshot = `apiVersion: trimtab.dev/v1alpha1
kind: Scenario
description: A cluster that begins as a snapshot says.
duration: 1h
snapshot: ${snapshotFile}
`;

/** The largest file that is read: a snapshot of 5,000 Pods has a tenth of it. */
export const longestFile = 64 * 2 ** 20;

/** Makes a play that begins as a snapshot says. */
export function playOfSnapshot(text: string): Required<Pick<Play, "scenario" | "files">> {
  return { scenario: aroundSnapshot, files: { [snapshotFile]: text } };
}

/** Makes a play of a file that was dropped: a snapshot of a cluster, or else a scenario. */
export function playOfFile(text: string): Pick<Play, "scenario" | "files"> {
  return /^[ \t]*"?kind"?[ \t]*:[ \t]*"?Snapshot"?/m.test(text.slice(0, 10_000))
    ? playOfSnapshot(text)
    : { scenario: text };
}
