import { expect, test } from "vitest";
import { nodes, pods, replicaSets } from "../api/resources.ts";
import { ReadYourWrites } from "./read-your-writes.ts";

/** Views that have read so far. */
function start({ readPods = "10", readReplicaSets = "10" } = {}) {
  const podReader = { resource: pods, resourceVersion: readPods };
  const written = new ReadYourWrites([
    podReader,
    { resource: replicaSets, resourceVersion: readReplicaSets },
  ]);
  return { podReader, written };
}

const web = { key: "default/web", uid: "1" };

test.for([
  { name: "a write that has been read", version: "10", read: "10", isUnread: false },
  { name: "a write that has not", version: "11", read: "10", isUnread: true },
  { name: "a write with more digits", version: "10", read: "9", isUnread: true },
  {
    name: "a write no number could hold",
    version: "90071992547409931",
    read: "90071992547409930",
    isUnread: true,
  },
  { name: "a view that has not begun", version: "11", read: "", isUnread: false },
  { name: "a version that cannot be compared", version: "opaque", read: "10", isUnread: false },
  { name: "a view that cannot be compared", version: "11", read: "opaque", isUnread: false },
])("$name is unread: $isUnread", ({ version, read, isUnread }) => {
  const { written } = start({ readPods: read });
  written.record(web, pods, version);
  expect(written.firstUnread(web.key) !== undefined).toBe(isUnread);
});

test("each collection is compared with its own view", () => {
  const { written } = start({ readPods: "20", readReplicaSets: "5" });
  written.record(web, pods, "15");
  written.record(web, replicaSets, "6");
  expect(written.firstUnread(web.key)).toEqual({ resource: replicaSets, written: "6", read: "5" });
  expect(written.firstUnread("default/other")).toBeUndefined();
});

test("a collection without a view is not waited for", () => {
  const { written } = start();
  written.record(web, nodes, "99");
  expect(written.firstUnread(web.key)).toBeUndefined();
});

test("an older write does not take the place of a newer one", () => {
  const { podReader, written } = start();
  written.record(web, pods, "12");
  written.record(web, pods, "11");
  written.record(web, pods, "opaque");
  podReader.resourceVersion = "11";
  expect(written.firstUnread(web.key)).toEqual({ resource: pods, written: "12", read: "11" });
});

test("another object of the same name starts afresh", () => {
  const { written } = start();
  written.record(web, pods, "12");
  written.record({ ...web, uid: "2" }, replicaSets, "7");
  expect(written.firstUnread(web.key)).toBeUndefined();
});

test("writes that have all been read are forgotten", () => {
  const { podReader, written } = start();
  written.record(web, pods, "10");
  expect(written.firstUnread(web.key)).toBeUndefined();
  podReader.resourceVersion = "9"; // the view was lost and is being built anew
  expect(written.firstUnread(web.key)).toBeUndefined();
});

test("writes are forgotten with their owner, unless another has taken its name", () => {
  const { written } = start();
  written.record(web, pods, "12");
  written.forget(web.key, "another");
  expect(written.firstUnread(web.key)).toBeDefined();
  written.forget(web.key, web.uid);
  expect(written.firstUnread(web.key)).toBeUndefined();
  written.record(web, pods, "12");
  written.forget(web.key);
  expect(written.firstUnread(web.key)).toBeUndefined();
});
