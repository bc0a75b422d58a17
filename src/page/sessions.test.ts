import { expect, test } from "vitest";
import { cookieOf, Sessions, setCookie } from "./sessions.ts";

function sessions(): Sessions {
  let count = 0;
  return new Sessions(() => `secret-${++count}`);
}

test("a session is found by its cookie alone", () => {
  const book = sessions();
  const [one, other] = [book.begin(), book.begin()];
  expect(book.find(one)).toBe(book.find(one));
  expect(book.find(one)).not.toBe(book.find(other));
  expect([undefined, "", "secret-3"].map((secret) => book.find(secret))).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test("the session that was not used for the longest time ends when there are too many", () => {
  const book = sessions();
  const issued = Array.from({ length: 32 }, () => book.begin());
  const [first = "", second = ""] = issued;
  const [oldest, next] = [book.find(first), book.find(second)];
  book.find(first); // used last
  for (let index = 0; index < 31; index++) book.begin();
  expect([oldest?.ended.aborted, next?.ended.aborted]).toEqual([false, true]);
  expect([book.find(first), book.find(second)]).toEqual([oldest, undefined]);
});

test("the cookie is out of reach of scripts and other sites", () => {
  expect(setCookie(80, "abc")).toBe("trimtab-page-80=abc; HttpOnly; SameSite=Strict; Path=/");
});

test.for([
  ["trimtab-page-80=abc", "abc"],
  ["a=b; trimtab-page-80=abc; c=d", "abc"],
  ["trimtab-page-8080=abc", undefined],
  ["x-trimtab-page-80=abc", undefined],
  ["trimtab-page-80=abc; trimtab-page-80=def", undefined],
  ["", undefined],
  [undefined, undefined],
] as const)("of the header %j the cookie is %j", ([header, want]) => {
  expect(cookieOf(header, 80)).toBe(want);
});
