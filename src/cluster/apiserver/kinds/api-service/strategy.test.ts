import { describe, expect, test } from "vitest";
import { problemsOf } from "../workload/workload-fixture.cases.ts";
import { contextWithout } from "../workload/workload-fixture.cases.ts";
import { apiServicePresentation } from "./presentation.ts";
import { apiServiceStrategy } from "./strategy.ts";

const service = { namespace: "default", name: "extension" };
const spec = { group: "example.com", version: "v1", groupPriorityMinimum: 1000, versionPriority: 100 };
const metadata = { name: "v1.example.com" };

test("a Service is asked on port 443 unless the APIService says otherwise", () => {
  const { spec: filled } = apiServiceStrategy.defaults?.({ metadata, spec: { ...spec, service } }) ?? {};
  expect(filled?.service).toEqual({ ...service, port: 443 });
});

test("an API that this server has itself is available from the start, another one is not", () => {
  const created = (object: object) =>
    apiServiceStrategy.prepareForCreate?.({ metadata, ...object }, contextWithout())?.status;
  expect(created({ spec })).toMatchObject({
    conditions: [{ type: "Available", status: "True", reason: "Local" }],
  });
  expect(created({ spec: { ...spec, service } })).toBeUndefined();
});

describe("an APIService", () => {
  test.for<{ name: string; change: object; want: readonly string[] }>([
    { name: "of this server", change: {}, want: [] },
    { name: "of a Service", change: { service }, want: [] },
    { name: "of the core group", change: { group: undefined }, want: [wrongName("v1.")] },
    {
      name: "without a group and another version",
      change: { group: undefined, version: "v2" },
      want: [
        wrongName("v2."),
        "spec.group: Required value: only v1 may have an empty group and it better be legacy kube",
      ],
    },
    {
      name: "of another version than its name says",
      change: { version: "v2" },
      want: [wrongName("v2.example.com")],
    },
    {
      name: "without priorities",
      change: { groupPriorityMinimum: undefined, versionPriority: undefined },
      want: [
        "spec.groupPriorityMinimum: Invalid value: 0: must be positive and less than 20000",
        "spec.versionPriority: Invalid value: 0: must be positive and less than 1000",
      ],
    },
    {
      name: "of high priorities",
      change: { groupPriorityMinimum: 20_001, versionPriority: 1001 },
      want: [
        "spec.groupPriorityMinimum: Invalid value: 20001: must be positive and less than 20000",
        "spec.versionPriority: Invalid value: 1001: must be positive and less than 1000",
      ],
    },
    {
      name: "of an empty Service",
      change: { service: { port: 0 } },
      want: [
        "spec.service.namespace: Required value",
        "spec.service.name: Required value",
        "spec.service.port: Invalid value: 0: port is not valid: must be between 1 and 65535, inclusive",
      ],
    },
    {
      name: "that is local and has a bundle",
      change: { caBundle: "QUJD" },
      want: ['spec.caBundle: Invalid value: "3 bytes": local APIServices may not have a caBundle'],
    },
    {
      name: "that is local and skips the verification",
      change: { insecureSkipTLSVerify: true },
      want: [
        "spec.insecureSkipTLSVerify: Invalid value: true: local APIServices may not have insecureSkipTLSVerify",
      ],
    },
    {
      name: "that has a bundle and skips the verification",
      change: { service, caBundle: "QUJD", insecureSkipTLSVerify: true },
      want: ["spec.insecureSkipTLSVerify: Invalid value: true: may not be true if caBundle is present"],
    },
  ])("$name", ({ change, want }) => {
    const changed = JSON.parse(JSON.stringify({ ...spec, ...change })) as object;
    expect(problemsOf(apiServiceStrategy, { metadata, spec: changed })).toEqual(want);
  });
});

test("the table says who has the API, and why it is not available", () => {
  const cells = (object: object) => {
    const stored = { metadata: { ...metadata, uid: "u", resourceVersion: "1" }, spec, ...object };
    return apiServicePresentation.table?.cells(stored, 0).slice(1, 3);
  };
  expect(cells({})).toEqual(["Local", "Unknown"]);
  const conditions = [{ type: "Available", status: "False", reason: "ServiceNotFound" }];
  expect(cells({ spec: { ...spec, service }, status: { conditions } })).toEqual([
    "default/extension",
    "False (ServiceNotFound)",
  ]);
});

function wrongName(wanted: string): string {
  return `metadata.name: Invalid value: "v1.example.com": must be \`spec.version+"."+spec.group\`: ${JSON.stringify(wanted)}`;
}
