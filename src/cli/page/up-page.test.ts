import { expect, test } from "vitest";
import { isLocalLink } from "./up-page.ts";

test.for([
  { link: "http://127.0.0.1:34567/open/abc", isLocal: true },
  { link: "https://example.org/open/abc", isLocal: false },
  { link: "http://127.0.0.1.example.org/", isLocal: false },
  { link: "http://127.0.0.1@example.org/", isLocal: false },
  { link: "http://user@127.0.0.1/", isLocal: false },
  { link: "http://127.0.0.1/\u001B]0;owned\u0007", isLocal: false },
  { link: "javascript:alert(1)", isLocal: false },
  { link: 7, isLocal: false },
])("a link $link of a cluster is local: $isLocal", ({ link, isLocal }) => {
  expect(isLocalLink(link)).toBe(isLocal);
});
