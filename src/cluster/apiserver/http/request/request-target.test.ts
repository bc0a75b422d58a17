import * as fc from "fast-check";
import { expect, test } from "vitest";
import { type RequestTarget, requestTarget } from "./request-target.ts";

const partsOf = ({ pathname, search, searchParams }: RequestTarget) => ({
  pathname,
  search,
  parameters: [...searchParams],
});

const asUrl = (target: string) => partsOf(new URL(target, "https://localhost"));

test.for([
  "/",
  "/api/v1/namespaces/default/pods",
  "/api/v1/pods/",
  "/api/v1/pods?limit=500&labelSelector=app%3Dweb",
  "/api/v1/pods?a=b?c#d",
  "/api/v1/pods??watch=1",
  "/api//v1",
  "/api/./v1/../v2",
  "/api/%2e%2E/v1",
  "/api/v1/namespaces/über",
  "/readyz?verbose",
  "/readyz?",
  "*",
  "?watch=1",
  "//elsewhere.example/api/v1",
  "https://elsewhere.example/api/v1?limit=1",
  "/readyz?exclude='\"<>|^`{}\\",
])("%s has the path and the parameters of a URL", (target) => {
  expect(partsOf(requestTarget(target))).toEqual(asUrl(target));
});

test("any target has the path and the parameters of a URL", () => {
  const piece = fc.constantFrom(
    "/",
    "a",
    "pods-1",
    ".",
    "..",
    "%2e",
    "%",
    "?",
    "&",
    "=",
    "+",
    "#",
    ":",
    "é",
    " ",
    "\\",
  );
  const start = fc.constantFrom("/", "/api/v1/pods", "/api/v1/pods?");
  const pieces = fc.array(piece, { maxLength: 12 }).map((each) => each.join(""));
  const target = fc.tuple(start, pieces).map((each) => each.join(""));
  fc.assert(
    fc.property(target, (each) => {
      fc.pre(URL.canParse(each, "https://localhost"));
      expect(partsOf(requestTarget(each))).toEqual(asUrl(each));
    }),
  );
});

test("a target that is no path is refused", () => {
  expect(() => requestTarget("https://[")).toThrow("the target of the request is no path");
});
