import { expect, test } from "vitest";
import { OncePerGeneration } from "./event-draft.ts";

const web = (uid: string, generation: number) => ({
  metadata: { namespace: "default", name: "web", uid, resourceVersion: "1", generation },
});

test("something is said once about a generation of an object", () => {
  const said = new OncePerGeneration();
  expect(said.isFirst(web("a", 1))).toBe(true);
  expect(said.isFirst(web("a", 1))).toBe(false);
  expect(said.isFirst(web("a", 2))).toBe(true);
  expect(said.isFirst(web("b", 2))).toBe(true); // another object of the same name
  said.forget("default/web");
  expect(said.isFirst(web("b", 2))).toBe(true);
});
