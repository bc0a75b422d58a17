import { expect, test } from "vitest";
import { downscalePodPickerAnnotation } from "../../src/api/workload-settings.ts";
import { transientFailure } from "../../src/picker/picker-failure.ts";
import { pickerEventsOf, podsOf, run, scale, startVirtual } from "./virtual-cluster.ts";

const picker = '"http":{"host":"picker","port":80}';
const deep = (depth: number) => "[".repeat(depth) + "]".repeat(depth);

test.for([
  { name: "100,000 brackets", text: deep(100_000) },
  { name: "a picker and 100,000 brackets", text: `{${picker},"more":${deep(100_000)}}` },
  {
    name: "a picker and a list of a hundred thousand",
    text: `{${picker},"more":[${"0,".repeat(100_000)}0]}`,
  },
  { name: "100,000 open brackets", text: "[".repeat(100_000) },
  { name: "objects inside of objects", text: '{"http":'.repeat(20_000) },
  { name: "no JSON", text: "http://picker" },
  { name: "JSON of another kind", text: "7" },
])(
  "an annotation of $name stops no ReplicaSet: the normal order decides, and an event says why",
  async ({ text }) => {
    const pick = () => transientFailure("Refused");
    const cluster = await startVirtual({ pickers: { picker: { pick } } });
    await run(cluster, "web", { replicas: 3, annotations: { [downscalePodPickerAnnotation]: text } });
    expect(await podsOf(cluster, "web")).toHaveLength(3);
    await scale(cluster, "web", 2);
    await cluster.clock.advance(1000);
    expect(await podsOf(cluster, "web")).toHaveLength(2);
    expect(await pickerEventsOf(cluster, "web")).toEqual([
      expect.stringMatching(/^DownscalePodPickerFailed: pod picker not used \(InvalidConfig: /),
    ]);
  },
);
