import { expect, test } from "vitest";
import { faultVariable, readFaultFlag, readFaultVariable } from "./fault-flag.ts";

test("without the flag and the variable there are no faults", () => {
  expect(readFaultFlag({})).toEqual({ ok: true });
  expect(readFaultVariable({})).toEqual({ ok: true });
});

test("both are read alike, and problems name them", () => {
  const faults = { seed: "7", profile: "rough" };
  expect(readFaultFlag({ faults: "7:rough" })).toEqual({ ok: true, faults });
  expect(readFaultVariable({ [faultVariable]: "7:rough" })).toEqual({ ok: true, faults });
  const problem = 'unknown profile or fault "roug"; did you mean "rough"?';
  expect(readFaultFlag({ faults: "7:roug" })).toEqual({ ok: false, problems: [`--faults: ${problem}`] });
  expect(readFaultVariable({ [faultVariable]: "7:roug" })).toEqual({
    ok: false,
    problems: [`${faultVariable}: ${problem}`],
  });
});
