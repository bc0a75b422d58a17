import { expect, test } from "vitest";
import { type ContainerCase, problemsOfContainer } from "./pod-spec-fixture.cases.ts";

const at = "spec.containers[0].env[0]";
const key =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";
const from = (valueFrom: NonNullable<NonNullable<ContainerCase["container"]["env"]>[0]["valueFrom"]>) => ({
  env: [{ name: "A", valueFrom }],
});

const cases: readonly ContainerCase[] = [
  { name: "a variable", container: { env: [{ name: "A", value: "1" }] }, want: [] },
  { name: "a name with spaces", container: { env: [{ name: "a b" }] }, want: [] },
  { name: "no name", container: { env: [{}] }, want: [`${at}.name: Required value`] },
  {
    name: "a name with an equals sign",
    container: { env: [{ name: "a=b" }] },
    want: [
      `${at}.name: Invalid value: "a=b": a valid environment variable name must consist only of printable ASCII characters other than '='`,
    ],
  },
  {
    name: "no source",
    container: from({}),
    want: [
      `${at}.valueFrom: Invalid value: "": must specify one of: \`fieldRef\`, \`resourceFieldRef\`, \`configMapKeyRef\`, \`secretKeyRef\` or \`fileKeyRef\``,
    ],
  },
  {
    name: "two sources",
    container: from({ fieldRef: { fieldPath: "metadata.name" }, secretKeyRef: { name: "s", key: "k" } }),
    want: [`${at}.valueFrom: Invalid value: "": may not have more than one field specified at a time`],
  },
  {
    name: "a value and a source",
    container: { env: [{ name: "A", value: "1", valueFrom: { secretKeyRef: { name: "s", key: "k" } } }] },
    want: [`${at}.valueFrom: Invalid value: "": may not be specified when \`value\` is not empty`],
  },
  { name: "a label", container: from({ fieldRef: { fieldPath: "metadata.labels['app']" } }), want: [] },
  {
    name: "a field that has no place in a variable",
    container: from({ fieldRef: { fieldPath: "metadata.labels" } }),
    want: [
      `${at}.valueFrom.fieldRef.fieldPath: Unsupported value: "metadata.labels": supported values: "metadata.name", "metadata.namespace", "metadata.uid", "spec.nodeName", "spec.serviceAccountName", "status.hostIP", "status.hostIPs", "status.podIP", "status.podIPs"`,
    ],
  },
  {
    name: "a field that is none",
    container: from({ fieldRef: { fieldPath: "spec.foo" } }),
    want: [
      `${at}.valueFrom.fieldRef.fieldPath: Invalid value: "spec.foo": error converting fieldPath: field label not supported: spec.foo`,
    ],
  },
  {
    name: "a container's resource",
    container: from({ resourceFieldRef: { resource: "limits.cpu", divisor: "1m" } }),
    want: [],
  },
  {
    name: "an unknown resource",
    container: from({ resourceFieldRef: { resource: "limits.disk" } }),
    want: [
      `${at}.valueFrom.resourceFieldRef.resource: Unsupported value: "limits.disk": supported values: "limits.cpu", "limits.ephemeral-storage", "limits.memory", "requests.cpu", "requests.ephemeral-storage", "requests.memory"`,
    ],
  },
  {
    name: "a divisor that does not divide",
    container: from({ resourceFieldRef: { resource: "limits.cpu", divisor: "2" } }),
    want: [
      `${at}.valueFrom.resourceFieldRef.divisor: Invalid value: "limits.cpu": only divisor's values 1m and 1 are supported with the cpu resource`,
    ],
  },
  {
    name: "a bad key of a Secret",
    container: from({ secretKeyRef: { name: "s", key: "a b" } }),
    want: [`${at}.valueFrom.secretKeyRef.key: Invalid value: "a b": ${key}`],
  },
  {
    name: "no key of a ConfigMap",
    container: from({ configMapKeyRef: { name: "c" } }),
    want: [`${at}.valueFrom.configMapKeyRef.key: Required value`],
  },
  {
    name: "all of nothing",
    container: { envFrom: [{}] },
    want: [
      'spec.containers[0].envFrom: Invalid value: "": must specify one of: `configMapRef` or `secretRef`',
    ],
  },
  {
    name: "all of a Secret without a name",
    container: { envFrom: [{ secretRef: {} }] },
    want: ["spec.containers[0].envFrom[0].secretRef.name: Required value"],
  },
];

test.for(cases)("an environment with $name gets what Kubernetes says", ({ container, want }) => {
  expect(problemsOfContainer(container)).toEqual(want);
});
