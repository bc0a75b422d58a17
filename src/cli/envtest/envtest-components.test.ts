import { expect, test } from "vitest";
import { readEnvtestComponents } from "./envtest-components.ts";

const components = ["apiservice-registration", "garbage-collector", "namespace", "kubelet", "scheduler"];

test.each([
  ["", 0, ["apiservice-registration"]],
  ["gc", 0, ["apiservice-registration", "garbage-collector"]],
  ["gc, namespaces", 0, ["apiservice-registration", "garbage-collector", "namespace"]],
  ["all", 3, components],
])("%j: %i nodes, and these components run", (text, nodes, running) => {
  const read = readEnvtestComponents(text);
  expect(read).toMatchObject({ ok: true, nodes });
  expect(read.ok && components.filter(read.runs)).toEqual(running);
});

test("the API server is alone where the variable is not set", () => {
  expect(readEnvtestComponents(undefined)).toMatchObject({ ok: true, nodes: 0 });
});

test.each([
  ["namespace", 'TRIMTAB_ENVTEST: "namespace" is unknown; did you mean namespaces?'],
  ["gc,everything", 'TRIMTAB_ENVTEST: "everything" is unknown; one of gc, namespaces, all is expected'],
])("%s is refused", (text, problem) => {
  expect(readEnvtestComponents(text)).toEqual({ ok: false, problem });
});
