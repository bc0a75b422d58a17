import { expect, test } from "vitest";
import { podSpecWarnings } from "./pod-spec-warnings.ts";

const env = (...names: readonly string[]) => names.map((name) => ({ name }));

test("an environment variable that is defined again is warned about, in each container", () => {
  const spec = {
    initContainers: [{ env: env("A", "A") }],
    containers: [{ env: env("A", "B") }, {}, { env: env("B", "A", "B", "B") }],
  };
  const effect = (name: string) =>
    `hides previous definition of "${name}", which may be dropped when using apply`;
  expect(podSpecWarnings(spec, "spec")).toEqual([
    `spec.initContainers[0].env[1]: ${effect("A")}`,
    `spec.containers[2].env[2]: ${effect("B")}`,
    `spec.containers[2].env[3]: ${effect("B")}`,
  ]);
});
