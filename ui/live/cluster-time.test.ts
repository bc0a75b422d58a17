import { expect, test } from "vitest";
import { ClusterTimes } from "./cluster-time.ts";

const times = new ClusterTimes();
times.add({ at: 1000, said: 50_000, speed: 1 });
times.add({ at: 2000, said: 51_000, speed: 10 });
times.add({ at: 3000, said: 61_000, speed: 0 });
times.add({ at: 4000, said: 61_000, speed: 1 });

test.for([
  { when: "before the first answer", at: 500, want: 49_500 },
  { when: "at ordinary speed", at: 1500, want: 50_500 },
  { when: "sped up", at: 2500, want: 56_000 },
  { when: "paused", at: 3900, want: 61_000 },
  { when: "after the last answer", at: 4500, want: 61_500 },
])("the clock of the cluster $when", ({ at, want }) => {
  expect(times.at(at)).toBe(want);
});

test("without any answer the clock of the browser is all there is", () => {
  expect(new ClusterTimes().at(7)).toBe(7);
});
