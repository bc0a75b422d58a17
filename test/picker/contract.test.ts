import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { parsePickerAnswer } from "../../src/decisions/downscale/picker-answer.ts";
import { pickPodsPath } from "../../src/picker/transport/grpc-messages.ts";
import { pickPodsMethod } from "./pick-pods-method.ts";

const root = new URL("../../", import.meta.url);
const textOf = (path: string) => readFileSync(new URL(path, root), "utf8");

interface Example {
  readonly content: { readonly "application/json": { readonly example: Record<string, unknown> } };
}
interface Document {
  readonly paths: {
    readonly "/": {
      readonly post: { readonly requestBody: Example; readonly responses: { readonly "200": Example } };
    };
  };
}

test("the contract is in the package", () => {
  const { files } = JSON.parse(textOf("package.json")) as { readonly files: readonly string[] };
  expect(files).toContain("contract");
});

test("the example response in the OpenAPI document answers its example request", () => {
  const { post } = (parse(textOf("contract/picker.openapi.yaml")) as Document).paths["/"];
  const { example: question } = post.requestBody.content["application/json"];
  const { example: answer } = post.responses["200"].content["application/json"];
  const candidates = question["candidate_pods"] as readonly string[];
  expect(parsePickerAnswer(new TextEncoder().encode(JSON.stringify(answer)), candidates)).toMatchObject({
    kind: "Ranked",
    ignored: { unknown: 0, duplicate: 0, inBothLists: 0 },
  });
});

test("the gRPC path is that of the contract", () => {
  expect(pickPodsPath).toBe(pickPodsMethod().path);
});
