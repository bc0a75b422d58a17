import { expect, test } from "vitest";
import { apiAudience } from "./service-account-tokens.ts";
import { tokenAuthenticator } from "./authenticate.ts";

const admin = { name: "admin", groups: ["system:masters"] };
const viewer = { name: "viewer", groups: [] };
const fixed = new Map([
  ["first-token", admin],
  ["other-token", viewer],
]);

const recognize = tokenAuthenticator(fixed, { issuer: apiAudience, recognize: () => undefined });

test("each fixed token has its own user", () => {
  expect(recognize("first-token")?.user).toBe(admin);
  expect(recognize("other-token")?.user).toBe(viewer);
});

test.for([
  { which: "an empty one", token: "" },
  { which: "another of the same length", token: "third-token" },
  { which: "one of as many characters, but more bytes", token: "first-tökén" },
  { which: "the beginning of a fixed one", token: "first" },
  { which: "a fixed one and more", token: "first-token-and-more" },
])("no other token is recognized: $which", ({ token }) => {
  expect(recognize(token)).toBeUndefined();
});
