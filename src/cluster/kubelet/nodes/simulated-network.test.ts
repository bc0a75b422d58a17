import { expect, test } from "vitest";
import { podAddress } from "./simulated-network.ts";

test("a Pod network that has given all its addresses starts over", () => {
  expect(podAddress("240.128.0.0/24", 0)).toBe("240.128.0.2");
  expect(podAddress("240.128.0.0/24", 252)).toBe("240.128.0.254");
  expect(podAddress("240.128.0.0/24", 253)).toBe("240.128.0.2");
});
