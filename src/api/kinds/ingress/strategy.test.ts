import { expect, test } from "vitest";
import type { IngressSpec } from "../../generated/networking-v1.ts";
import type { Sent } from "../sent.ts";
import { problemsOf } from "../workload/workload-fixture.cases.ts";
import { ingressStrategy } from "./strategy.ts";

const backend = { service: { name: "web", port: { number: 80 } } };
const rule = (path: object, host = "a.example") => ({
  rules: [{ host, http: { paths: [{ path: "/", pathType: "Prefix", backend, ...path }] } }],
});
const at = "spec.rules[0].http.paths[0]";

test.for<{ name: string; spec: Sent<IngressSpec>; want: string[] }>([
  { name: "leads somewhere", spec: rule({}, "*.example"), want: [] },
  { name: "has a default", spec: { defaultBackend: backend }, want: [] },
  {
    name: "leads nowhere",
    spec: {},
    want: ["spec: Invalid value: null: either `defaultBackend` or `rules` must be specified"],
  },
  {
    name: "has no type of path",
    spec: rule({ pathType: undefined }),
    want: [`${at}.pathType: Required value: pathType must be specified`],
  },
  {
    name: "is for an address, with a relative path to no port",
    spec: rule({ path: "web", backend: { service: { name: "web" } } }, "10.0.0.1"),
    want: [
      'spec.rules[0].host: Invalid value: "10.0.0.1": must be a DNS name, not an IP address',
      `${at}.path: Invalid value: "web": must be an absolute path`,
      `${at}.backend: Required value: port name or number is required`,
    ],
  },
])("an Ingress that $name", ({ spec, want }) => {
  expect(problemsOf(ingressStrategy, { spec })).toEqual(want);
});
