import { expect, onTestFinished, test } from "vitest";
import type { ValidatingAdmissionPolicySpec } from "../../../api/generated/admissionregistration-v1.ts";
import type { JsonObject } from "../../../api/json.ts";
import { customResourceDefinitions } from "../../../api/resources.ts";
import { testCluster } from "../../../testing/test-cluster.ts";
import { fooDefinition, fooVersion } from "../../apiserver/custom-resources/foo-definition.contract.ts";
import { validatingAdmissionPolicies } from "./policy-status-controller.ts";

const rule = (apiGroups: readonly string[], resources: readonly string[], apiVersions = ["v1"]) => ({
  apiGroups,
  apiVersions,
  resources,
  operations: ["CREATE"],
});
const deployments = { resourceRules: [rule(["apps"], ["deployments"])] };

async function start() {
  const cluster = await testCluster({ nodes: 0, components: ["validatingadmissionpolicy-status"] });
  onTestFinished(() => cluster.stop());
  const { client, clock } = cluster;
  return {
    client,
    clock,
    /** Creates a policy and returns its status. */
    statusOf: async (spec: Partial<ValidatingAdmissionPolicySpec>) => {
      const validations = [{ expression: "true" }];
      await client.create(validatingAdmissionPolicies, {
        metadata: { name: "p" },
        spec: { matchConstraints: deployments, validations, ...spec },
      });
      await clock.settle();
      return (await client.get(validatingAdmissionPolicies, { name: "p" })).status;
    },
    changed: async (change: JsonObject) => {
      const patch = { type: "merge", body: { spec: change } } as const;
      await client.patch(validatingAdmissionPolicies, { name: "p" }, patch);
      await clock.settle();
      return (await client.get(validatingAdmissionPolicies, { name: "p" })).status;
    },
  };
}

const problem = (kind: string, text: string, column: number, what: string) =>
  `${kind}: ERROR: <input>:1:${column}: ${what}\n | ${text}\n | ${".".repeat(column - 1)}^\n`;

test("an expression that fits the kinds of a policy leaves the status without warnings", async () => {
  const { statusOf } = await start();
  const expressions = [
    "object.spec.replicas <= 5 && object.metadata.labels.size() < 9",
    "object.spec.template.spec.containers.all(c, c.image.startsWith('a') && has(c.livenessProbe))",
    "object.spec.strategy.rollingUpdate.maxSurge == '25%' || object.spec.strategy.rollingUpdate.maxSurge == 1",
    "oldObject == null || object.metadata.creationTimestamp == oldObject.metadata.creationTimestamp",
    "authorizer.requestResource.check('delete').allowed() && request.name != ''",
  ];
  const validations = expressions.map((expression) => ({ expression }));
  expect(await statusOf({ validations })).toEqual({ observedGeneration: 1, typeChecking: {} });
});

test.for<{
  name: string;
  spec: Partial<ValidatingAdmissionPolicySpec>;
  want: readonly (readonly [string, string])[];
}>([
  {
    name: "a field that a Deployment does not have",
    spec: { validations: [{ expression: "object.spec.size < 5" }] },
    want: [
      [
        "spec.validations[0].expression",
        problem("apps/v1, Kind=Deployment", "object.spec.size < 5", 12, "undefined field 'size'"),
      ],
    ],
  },
  {
    name: "a field that a Pod does not have, in the core group",
    spec: {
      matchConstraints: { resourceRules: [rule([""], ["pods", "pods/exec"])] },
      validations: [{ expression: "object.none == 1" }],
    },
    want: [
      [
        "spec.validations[0].expression",
        problem("/v1, Kind=Pod", "object.none == 1", 7, "undefined field 'none'"),
      ],
    ],
  },
  {
    name: "a number that is compared with a text, and a message of it",
    spec: {
      validations: [
        { expression: "object.spec.replicas == '5'", messageExpression: "'at most ' + object.spec.replicas" },
      ],
    },
    want: [
      [
        "spec.validations[0].expression",
        problem(
          "apps/v1, Kind=Deployment",
          "object.spec.replicas == '5'",
          22,
          "found no matching overload for '_==_' applied to '(int, string)'",
        ),
      ],
      [
        "spec.validations[0].messageExpression",
        problem(
          "apps/v1, Kind=Deployment",
          "'at most ' + object.spec.replicas",
          12,
          "found no matching overload for '_+_' applied to '(string, int)'",
        ),
      ],
    ],
  },
  {
    name: "a variable that is a text",
    spec: {
      variables: [{ name: "image", expression: "object.spec.template.spec.containers[0].image" }],
      validations: [{ expression: "variables.image > 1" }],
    },
    want: [
      [
        "spec.validations[0].expression",
        problem(
          "apps/v1, Kind=Deployment",
          "variables.image > 1",
          17,
          "found no matching overload for '_>_' applied to '(string, int)'",
        ),
      ],
    ],
  },
  {
    name: "one of two kinds",
    spec: {
      matchConstraints: { resourceRules: [rule(["apps"], ["deployments", "daemonsets"])] },
      validations: [{ expression: "object.spec.replicas < 5" }],
    },
    want: [
      [
        "spec.validations[0].expression",
        problem("apps/v1, Kind=DaemonSet", "object.spec.replicas < 5", 12, "undefined field 'replicas'"),
      ],
    ],
  },
  {
    name: "parameters that do not have what is read",
    spec: {
      paramKind: { apiVersion: "v1", kind: "ConfigMap" },
      validations: [{ expression: "params.data.a == 'b' && params.spec.a == 'b'" }],
    },
    want: [
      [
        "spec.validations[0].expression",
        problem(
          "apps/v1, Kind=Deployment",
          "params.data.a == 'b' && params.spec.a == 'b'",
          31,
          "undefined field 'spec'",
        ),
      ],
    ],
  },
  {
    name: "nothing about rules with a wildcard, or kinds that are not there",
    spec: {
      matchConstraints: {
        resourceRules: [
          rule(["*"], ["deployments"]),
          rule(["apps"], ["deployments"], ["*"]),
          rule(["apps"], ["*"]),
          rule(["apps"], ["none"]),
        ],
      },
      validations: [{ expression: "object.none == 1" }],
    },
    want: [],
  },
])("the status warns of $name", async ({ spec, want }) => {
  const { statusOf } = await start();
  const status = await statusOf(spec);
  const warnings = want.map(([fieldRef, warning]) => ({ fieldRef, warning }));
  expect(status?.typeChecking).toEqual(warnings.length === 0 ? {} : { expressionWarnings: warnings });
});

test("a policy for a custom kind is checked by its schema", async () => {
  const { client, clock, statusOf } = await start();
  const version = fooVersion("v1", {
    spec: { n: { type: "integer" }, s: { type: "string", format: "date-time" } },
  });
  await client.create(customResourceDefinitions, fooDefinition([version]) as never);
  await clock.settle();
  const status = await statusOf({
    matchConstraints: { resourceRules: [rule(["example.com"], ["foos"])] },
    validations: [
      { expression: "object.spec.n < 5 && object.spec.s < timestamp('2030-01-01T00:00:00Z')" },
      { expression: "object.metadata.labels['a'] == 'b' && object.kind == 'Foo'" },
      { expression: "object.spec.x < 5" },
    ],
  });
  expect(status?.typeChecking?.expressionWarnings).toEqual([
    {
      fieldRef: "spec.validations[2].expression",
      warning: problem("example.com/v1, Kind=Foo", "object.spec.x < 5", 12, "undefined field 'x'"),
    },
  ]);
});

test("a policy that changes is checked again, and its status does not change its generation", async () => {
  const { statusOf, changed } = await start();
  expect(await statusOf({ validations: [{ expression: "object.none == 1" }] })).toMatchObject({
    observedGeneration: 1,
  });
  expect(await changed({ validations: [{ expression: "object.spec.replicas == 1" }] })).toEqual({
    observedGeneration: 2,
    typeChecking: {},
  });
});
