import { expect, test } from "vitest";
import { example } from "./example.ts";

test("the example explains every Pod that goes and every Pod that stays", async () => {
  const lines: string[] = [];
  const terminal = {
    out: (text: string) => lines.push(text),
    err: () => 0,
    interrupted: new AbortController().signal,
  };
  expect(await example.run({ flags: {}, arguments: [] }, terminal)).toBe(0);
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("../../../test/golden/example.txt");
});
