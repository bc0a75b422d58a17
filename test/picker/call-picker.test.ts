import { compressionAlgorithms } from "@grpc/grpc-js";
import { describe, expect, onTestFinished, test } from "vitest";
import { ask } from "./ask.ts";
import { describeCallPicker } from "./call-picker.contract.ts";
import { startGrpcPicker } from "./grpc-picker.ts";
import { startHttpPicker } from "./http-picker.ts";

describe("over HTTP", () => {
  describeCallPicker("http", startHttpPicker);
});
describe("over gRPC", () => {
  describeCallPicker("grpc", startGrpcPicker);
});

test("a gRPC picker receives the remaining time", async () => {
  const picker = await startGrpcPicker(() => ({ does: "answer", chosen: ["a"] }));
  onTestFinished(() => picker.close());
  await ask({ protocol: "grpc", port: picker.port });
  expect(picker.received[0]?.headers["deadline"]).not.toBe(Infinity);
});

test("a compressed gRPC message that expands beyond the limit is refused", async () => {
  const gzip = { "grpc.default_compression_algorithm": compressionAlgorithms.gzip };
  const bytes = 64 * 1024 * 1024;
  const picker = await startGrpcPicker(() => ({ does: "flood", bytes }), undefined, gzip);
  onTestFinished(() => picker.close());
  const found = await ask({ protocol: "grpc", port: picker.port });
  expect(found).toMatchObject({ attempts: 1, failure: { class: "TooLarge" } });
});
