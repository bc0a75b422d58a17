import { setFlagsFromString } from "node:v8";
import { describe, expect, test } from "vitest";
import { startTestApiServer } from "../../src/cluster/apiserver/api-server-fixture.contract.ts";
import { countSteps, countStepsOf } from "./count-steps.ts";
import { targets } from "./targets.ts";
import { wideInputs } from "./wide-inputs.cases.ts";

// Optimised code loses counts. This file has a process of its own.
for (const flag of ["--no-opt", "--no-maglev", "--no-flush-bytecode"]) setFlagsFromString(flag);

const small = 200;
const large = 4 * small;

describe("four times as many parts take a reader no more than six times as many steps", () => {
  test.for(
    wideInputs.flatMap(({ name, targets: names, of }) => names.map((target) => ({ target, name, of }))),
  )("$target: $name", ({ target, of }) => {
    const steps = (count: number) => {
      const input = Buffer.from(of(count));
      return countSteps(() => targets[target](input));
    };
    steps(1); // what is computed once
    const [few, many] = [steps(small), steps(large)];
    // Sorting takes a little more than four times as many; comparing all with all would take sixteen times.
    expect(many / few, `${few} and ${many} steps`).toBeLessThan(6);
  });
});

test("the steps of work that compares all with all are noticed", () => {
  const compareAll = (count: number) => {
    const items = Array.from({ length: count }, (_, index) => index);
    return countSteps(() => void items.filter((item) => items.some((other) => other === item + count)));
  };
  expect(compareAll(large) / compareAll(small)).toBeGreaterThan(15);
});

describe("four times as many field managers take no more than six times as many steps", () => {
  const objects = "/api/v1/namespaces/default/configmaps";
  const yaml = "application/apply-patch+yaml";
  const head = { apiVersion: "v1", kind: "ConfigMap" };
  const managers = (count: number, operation: string) =>
    Array.from({ length: count }, (_, index) => ({
      manager: `m${index}`,
      operation,
      apiVersion: "v1",
      fieldsType: "FieldsV1",
      fieldsV1: { "f:data": { [`f:k${index}`]: {} } },
    }));
  const members = (count: number, value: string) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, value]));

  test.for(["Apply", "Update"])("that %s an object", async (operation) => {
    const steps = async (count: number) => {
      const api = await startTestApiServer();
      const data = members(count, "v");
      await api.request(`POST ${objects}`, { ...head, metadata: { name: "x" }, data });
      const managedFields = managers(count, operation);
      const sent = { ...head, metadata: { name: "x", managedFields }, data: { ...data, k1: "w" } };
      const applied = { ...head, metadata: { name: "x" } };
      return countStepsOf(async () => {
        const target = `${objects}/x?fieldManager=me`;
        const answers = [
          await api.request(`PUT ${target}`, sent),
          await api.request(`PATCH ${target}&force=true`, { ...applied, data: members(count, "u") }, yaml),
          await api.request(`PATCH ${target}&force=true`, { ...applied, data: { k2: "t" } }, yaml),
        ];
        expect(answers.map(({ code }) => code)).toEqual([200, 200, 200]);
      });
    };
    await steps(1);
    const [few, many] = [await steps(small), await steps(large)];
    expect(many / few, `${few} and ${many} steps`).toBeLessThan(6);
  });
});
