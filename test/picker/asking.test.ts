import { describe, expect, onTestFinished, test } from "vitest";
import { ask } from "./ask.ts";
import { describeAsking } from "./asking.contract.ts";
import { startGrpcPicker } from "./grpc-picker.ts";
import { startHttpPicker } from "./http-picker.ts";

describe("over HTTP", () => {
  describeAsking("http", startHttpPicker);
});
describe("over gRPC", () => {
  describeAsking("grpc", startGrpcPicker);
});

test("a gRPC picker is told how much time is left", async () => {
  const picker = await startGrpcPicker(() => ({ does: "answer", chosen: ["a"] }));
  onTestFinished(() => picker.close());
  await ask({ protocol: "grpc", port: picker.port });
  expect(picker.received[0]?.headers["deadline"]).not.toBe(Infinity);
});
