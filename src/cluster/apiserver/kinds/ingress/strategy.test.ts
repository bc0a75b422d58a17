import { expect, test } from "vitest";
import type { IngressSpec } from "../../../../api/generated/networking-v1.ts";
import type { Sent } from "../../../../api/sent.ts";
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
  {
    name: "has a path that proxies resolve in different ways",
    spec: rule({ path: "/a//b/.." }),
    want: [
      `${at}.path: Invalid value: "/a//b/..": must not contain '//'`,
      `${at}.path: Invalid value: "/a//b/..": cannot end with '/..'`,
    ],
  },
  {
    name: "leaves its path to the implementation",
    spec: rule({ path: "/a//b", pathType: "ImplementationSpecific" }),
    want: [],
  },
  {
    name: "is for many hosts at once",
    spec: rule({}, "a.*.example"),
    want: [
      expect.stringMatching(
        /^spec.rules\[0\].host: Invalid value: "a.\*.example": a wildcard DNS-1123 subdomain must/,
      ),
    ],
  },
  {
    name: "leads to a resource without a kind",
    spec: rule({ backend: { resource: { name: "bucket", apiGroup: "Storage" } } }),
    want: [
      expect.stringContaining(`${at}.backend.resource.apiGroup: Invalid value: "Storage"`),
      `${at}.backend.resource.kind: Required value`,
    ],
  },
  {
    name: "is encrypted",
    spec: { defaultBackend: backend, tls: [{ hosts: ["a.example", "*.b.example"], secretName: "tls" }] },
    want: [],
  },
  {
    name: "is encrypted for nobody with nothing",
    spec: { defaultBackend: backend, tls: [{ hosts: ["A", "*"], secretName: "My Key" }] },
    want: [
      expect.stringContaining('spec.tls[0].hosts[0]: Invalid value: "A": a lowercase RFC 1123 subdomain'),
      expect.stringContaining('spec.tls[0].hosts[1]: Invalid value: "*": a wildcard DNS-1123 subdomain'),
      expect.stringContaining('spec.tls[0].secretName: Invalid value: "My Key"'),
    ],
  },
])("an Ingress that $name", ({ spec, want }) => {
  expect(problemsOf(ingressStrategy, { spec })).toEqual(want);
});

test("a new Ingress names one class", () => {
  const annotations = { "kubernetes.io/ingress.class": "nginx" };
  const named = (ingressClassName: string) => ({
    metadata: { annotations },
    spec: { defaultBackend: backend, ingressClassName },
  });
  expect(problemsOf(ingressStrategy, named("nginx"))).toEqual([]);
  expect(problemsOf(ingressStrategy, named("traefik"))).toEqual([
    'annotations.kubernetes.io/ingress.class: Invalid value: "nginx": must match `ingressClassName` when both are specified',
  ]);
});
