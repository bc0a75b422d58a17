import { expect, test } from "vitest";
import { VirtualClock } from "../machinery/clock/virtual-clock.ts";
import { linkLifetimeMs, OneTimeLinks } from "./one-time-links.ts";

function links() {
  const clock = new VirtualClock();
  let count = 0;
  return { clock, book: new OneTimeLinks(clock, () => `secret-${++count}`) };
}

test("a link opens the page once", () => {
  const { book } = links();
  const link = book.issue();
  expect([book.redeem(link), book.redeem(link)]).toEqual([true, false]);
});

test("a link that was never issued opens nothing", () => {
  const { book } = links();
  const link = book.issue();
  expect(["", "secret", `${link} `, link.toUpperCase()].map((wrong) => book.redeem(wrong))).not.toContain(
    true,
  );
  expect(book.redeem(link)).toBe(true);
});

test("a link expires", async () => {
  const { book, clock } = links();
  const [early, late] = [book.issue(), book.issue()];
  await clock.advance(linkLifetimeMs - 1);
  expect(book.redeem(early)).toBe(true);
  await clock.advance(1);
  expect(book.redeem(late)).toBe(false);
});

test("only the latest links are kept, so that printing them forever takes no memory", () => {
  const { book } = links();
  const issued = Array.from({ length: 20 }, () => book.issue());
  expect(issued.map((link) => book.redeem(link)).filter(Boolean)).toHaveLength(16);
  expect(book.redeem(issued[0] ?? "")).toBe(false);
});
