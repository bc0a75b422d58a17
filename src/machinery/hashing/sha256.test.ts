import { createHash, createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { hexText } from "../../api/bytes.ts";
import { seededRandom, randomInt } from "../random/random.ts";
import { hmacSha256, sha256 } from "./sha256.ts";

test.for([
  "",
  "abc",
  "häuser ☃ 🙂",
  "x".repeat(55),
  "x".repeat(56),
  "x".repeat(63),
  "x".repeat(64),
  "y".repeat(1000),
])("the digest of %j is Node's", (text) => {
  expect(hexText(sha256().update(text).digest())).toBe(createHash("sha256").update(text).digest("hex"));
  expect(hexText(hmacSha256("key", text))).toBe(createHmac("sha256", "key").update(text).digest("hex"));
  expect(hexText(hmacSha256(text, "a"))).toBe(createHmac("sha256", text).update("a").digest("hex"));
});

test("however a message is cut, its digest is the same", () => {
  const random = seededRandom("parts");
  for (let run = 0; run < 200; run++) {
    const parts = Array.from({ length: randomInt(random, 8) }, () =>
      Uint8Array.from({ length: randomInt(random, 150) }, () => randomInt(random, 256)),
    );
    const [ours, nodes] = [sha256(), createHash("sha256")];
    for (const part of parts) {
      ours.update(part);
      nodes.update(part);
    }
    expect(hexText(ours.digest())).toBe(nodes.digest("hex"));
  }
});
