import { expect, test } from "vitest";
import { exactList, flatText } from "./compact.ts";

test.each([[[]], [["a"]], [["a", undefined, "b"]]])("an exact list has the items of %j", (list) => {
  expect(exactList(list)).toEqual(list);
});

test.each(["", "a", "ab", "ä🙂b"])("a flat text equals %j", (text) => {
  expect(flatText(text)).toBe(text);
});
