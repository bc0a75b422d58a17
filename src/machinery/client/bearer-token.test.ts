import { expect, test } from "vitest";
import { VirtualClock } from "../clock/virtual-clock.ts";
import { bearerToken } from "./bearer-token.ts";
import type { TextFile } from "./text-file.ts";

test("a token is a token and none is none", () => {
  const clock = new VirtualClock();
  expect(bearerToken({ credential: { type: "none" }, clock })()).toBeUndefined();
  expect(bearerToken({ credential: { type: "token", token: "t" }, clock })()).toBe("t");
});

test("a token file is read again after a minute, and the old token serves while it cannot be", async () => {
  const clock = new VirtualClock();
  let file: TextFile = { ok: true, text: "first\n" };
  const token = bearerToken({ credential: { type: "token-file", path: "/t" }, clock, readFile: () => file });
  expect(token()).toBe("first");
  file = { ok: true, text: "second" };
  await clock.advance(59_999);
  expect(token()).toBe("first");
  await clock.advance(1);
  expect(token()).toBe("second");
  file = { ok: false, missing: true, reason: "no such file" };
  await clock.advance(60_000);
  expect(token()).toBe("second");
});

test("a token file that never could be read is an error", () => {
  const readFile = (): TextFile => ({ ok: false, missing: true, reason: "no such file" });
  const credential = { type: "token-file", path: "/t" } as const;
  const token = bearerToken({ credential, clock: new VirtualClock(), readFile });
  expect(token).toThrow("token file /t: no such file");
});
