import { expect, test } from "vitest";
import { resolveFenceposts } from "./fenceposts.ts";

test.for([
  { name: "rounds the surge up and the unavailable down", limits: ["39%", "39%"], want: [4, 3] },
  { name: "lets one Pod be missing when both are zero", limits: ["0%", "0%"], want: [0, 1] },
  { name: "reads an absent surge as none", limits: [undefined, "39%"], want: [0, 3] },
  { name: "reads an absent unavailable as none", limits: ["39%", undefined], want: [4, 0] },
  { name: "lets one Pod be missing when both are absent", limits: [undefined, undefined], want: [0, 1] },
  { name: "takes numbers as they are", limits: [3, 20], want: [3, 20] },
  { name: "rounds a small percentage of few to one surging Pod", limits: ["1%", 0], want: [1, 0] },
  { name: "lets one Pod be missing when a percentage rounds to none", limits: [0, "9%"], want: [0, 1] },
  {
    name: "has no more than an API server can store",
    limits: ["99999999999999999999%", 0],
    want: [2147483647, 0],
  },
])("resolveFenceposts of 10 replicas $name", ({ limits: [maxSurge, maxUnavailable], want }) => {
  const limits = {
    ...(maxSurge === undefined ? {} : { maxSurge }),
    ...(maxUnavailable === undefined ? {} : { maxUnavailable }),
  };
  expect(resolveFenceposts(limits, 10)).toEqual({ maxSurge: want[0], maxUnavailable: want[1] });
});

test("resolveFenceposts multiplies before it divides", () => {
  expect(resolveFenceposts({ maxSurge: "7%", maxUnavailable: 0 }, 100)).toEqual({
    maxSurge: 7,
    maxUnavailable: 0,
  });
});

test.for(["", "10", "ten%", "-5%", "5.5%", "% ", -1, 1.5, Number.NaN])(
  "resolveFenceposts refuses %j in either place",
  (bad) => {
    expect(resolveFenceposts({ maxSurge: bad, maxUnavailable: 1 }, 10)).toBeUndefined();
    expect(resolveFenceposts({ maxSurge: 1, maxUnavailable: bad }, 10)).toBeUndefined();
  },
);
