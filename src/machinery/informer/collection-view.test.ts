import { expect, test } from "vitest";
import type { ConfigMap } from "../../api/generated/core-v1.ts";
import { deepFreeze } from "../../testing/deep-freeze.ts";
import type { ListWatchOutput } from "../watch/list-watch-state.ts";
import { CollectionView } from "./collection-view.ts";

/** `a1@5`: the object named a with UID 1 at version 5. */
function object(text: string): ConfigMap {
  const [, name = "", uid = "", resourceVersion = ""] = /^([a-z])(\d)@(\d+)$/.exec(text) ?? [];
  return deepFreeze({ metadata: { name, uid, resourceVersion } });
}

const write = ({ metadata }: ConfigMap) => `${metadata.name}${metadata.uid}@${metadata.resourceVersion}`;

function output(text: string): ListWatchOutput<ConfigMap> {
  const [verb = "", subject = ""] = text.split(" ");
  if (verb === "replace" || verb === "reach") return { type: verb, resourceVersion: subject };
  if (verb === "discard") return { type: "discard" };
  const [step = "", type = ""] = verb.split(":");
  const event = { type: type as "ADDED" | "MODIFIED" | "DELETED", object: object(subject) };
  if (step === "gather") return { type: "gather", event };
  return { type: "apply", event, resourceVersion: event.object.metadata.resourceVersion };
}

test.for([
  {
    name: "a first picture is all additions",
    before: ["gather:ADDED a1@1", "gather:ADDED b2@2"],
    last: "replace 2",
    changes: ["added a1@1", "added b2@2"],
  },
  {
    name: "what was deleted while a picture was gathered is not in it",
    before: ["gather:ADDED a1@1", "gather:DELETED a1@2"],
    last: "replace 2",
    changes: [],
  },
  {
    name: "a picture that was thrown away leaves nothing behind",
    before: ["gather:ADDED a1@1", "discard", "gather:ADDED b2@2"],
    last: "replace 2",
    changes: ["added b2@2"],
  },
  {
    name: "a new picture tells what vanished, came and changed, and nothing of what stayed",
    before: [
      "gather:ADDED a1@1",
      "gather:ADDED b2@2",
      "gather:ADDED c3@3",
      "replace 3",
      "gather:ADDED b2@2",
      "gather:ADDED c3@5",
      "gather:ADDED d4@6",
    ],
    last: "replace 6",
    changes: ["deleted a1@1", "updated c3@3 c3@5", "added d4@6"],
  },
  {
    name: "a name taken again between two pictures is another object",
    before: ["gather:ADDED a1@1", "replace 1", "gather:ADDED a2@4"],
    last: "replace 4",
    changes: ["deleted a1@1", "added a2@4"],
  },
  {
    name: "a name taken again unseen by the watch is another object",
    before: ["gather:ADDED a1@1", "replace 1"],
    last: "apply:MODIFIED a2@4",
    changes: ["deleted a1@1", "added a2@4"],
  },
  {
    name: "a change of something unknown is an addition",
    before: ["replace 1"],
    last: "apply:MODIFIED a1@4",
    changes: ["added a1@4"],
  },
  {
    name: "the same version again is no change",
    before: ["replace 1", "apply:ADDED a1@4"],
    last: "apply:ADDED a1@4",
    changes: [],
  },
  {
    name: "a deletion tells the last state",
    before: ["replace 1", "apply:ADDED a1@4"],
    last: "apply:DELETED a1@7",
    changes: ["deleted a1@7"],
  },
  {
    name: "the deletion of something unknown is no change",
    before: ["replace 1"],
    last: "apply:DELETED a1@7",
    changes: [],
  },
  {
    name: "a deletion of an earlier object of that name leaves the present one alone",
    before: ["replace 1", "apply:ADDED a2@6"],
    last: "apply:DELETED a1@5",
    changes: [],
  },
  {
    name: "a deletion of a later object of that name means that ours had gone before",
    before: ["replace 1", "apply:ADDED a1@4"],
    last: "apply:DELETED a2@9",
    changes: ["deleted a1@4"],
  },
])("$name", ({ before, last, changes }) => {
  const view = new CollectionView<ConfigMap>();
  for (const text of before) view.apply(output(text));
  const told = view.apply(output(last)).map((change) => {
    const old = change.type === "updated" ? ` ${write(change.old)}` : "";
    return `${change.type}${old} ${write(change.object)}`;
  });
  expect(told).toEqual(changes);
});

test("the version is the one of the last picture, change, deletion or bookmark", () => {
  const view = new CollectionView<ConfigMap>();
  const versions = [
    "gather:ADDED a1@1",
    "replace 3",
    "apply:MODIFIED a1@4",
    "apply:DELETED a1@7",
    "reach 9",
  ].map((text) => {
    view.apply(output(text));
    return view.resourceVersion;
  });
  expect(versions).toEqual(["", "3", "4", "7", "9"]);
});
