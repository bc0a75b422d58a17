import { expect, test } from "vitest";
import type { JsonObject } from "../../../../api/json.ts";
import { startTestApiServer } from "../../api-server-fixture.contract.ts";

const registration = "/apis/admissionregistration.k8s.io/v1";
const rule = { operations: ["CREATE"], apiGroups: [""], apiVersions: ["v1"], resources: ["pods"] };
const spec = { matchConstraints: { resourceRules: [rule] }, validations: [{ expression: "true" }] };

test("policies and bindings get the defaults of Kubernetes", async () => {
  const { request } = await startTestApiServer();
  const policy = { metadata: { name: "p" }, spec };
  const defaults = { matchPolicy: "Equivalent", namespaceSelector: {}, objectSelector: {} };
  expect(await request(`POST ${registration}/validatingadmissionpolicies`, policy)).toMatchObject({
    code: 201,
    body: {
      metadata: { generation: 1 },
      spec: {
        failurePolicy: "Fail",
        matchConstraints: { ...defaults, resourceRules: [{ ...rule, scope: "*" }] },
      },
    },
  });
  const binding = {
    metadata: { name: "b" },
    spec: { policyName: "p", validationActions: ["Deny"], matchResources: {} },
  };
  expect(await request(`POST ${registration}/validatingadmissionpolicybindings`, binding)).toMatchObject({
    code: 201,
    body: { spec: { matchResources: defaults } },
  });
});

test.for<{ name: string; change: JsonObject; want: string }>([
  {
    name: "no constraints",
    change: { matchConstraints: null },
    want: "spec.matchConstraints: Required value",
  },
  {
    name: "no rules",
    change: { matchConstraints: {} },
    want: "spec.matchConstraints.resourceRules: Required value",
  },
  {
    name: "nothing to evaluate",
    change: { validations: [] },
    want: "spec.validations: Required value: validations or auditAnnotations must contain at least one item",
  },
  {
    name: "a variable of a bad name",
    change: { variables: [{ name: "a-b", expression: "1" }] },
    want: 'spec.variables[0].name: Invalid value: "a-b": must be a valid CEL identifier',
  },
  {
    name: "two variables of one name",
    change: { variables: ["1", "2"].map((expression) => ({ name: "a", expression })) },
    want: 'spec.variables[1].name: Duplicate value: "a"',
  },
  {
    name: "a variable that reads one after it",
    change: {
      variables: [
        { name: "a", expression: "variables.b" },
        { name: "b", expression: "1" },
      ],
    },
    want: "spec.variables[0].expression: Invalid value: \"variables.b\": compilation failed: ERROR: <input>:1:10: undefined field 'b'",
  },
  {
    name: "a text for a validation",
    change: { validations: [{ expression: "'a'" }] },
    want: "spec.validations[0].expression: Invalid value: \"'a'\": must evaluate to bool but got string",
  },
  {
    name: "a number for a message",
    change: { validations: [{ expression: "true", messageExpression: "1" }] },
    want: 'spec.validations[0].messageExpression: Invalid value: "1": must evaluate to string but got int',
  },
  {
    name: "parameters without their kind",
    change: { validations: [{ expression: "params.a == 'b'" }] },
    want: "undeclared reference to 'params' (in container '')",
  },
  {
    name: "a decision instead of whether it allows",
    change: { validations: [{ expression: "authorizer.requestResource.check('get')" }] },
    want: "must evaluate to bool but got kubernetes.authorization.Decision",
  },
  {
    name: "a message that asks what a user may do",
    change: {
      validations: [{ expression: "true", messageExpression: "authorizer.path('/').check('get').reason()" }],
    },
    want: "undeclared reference to 'authorizer' (in container '')",
  },
  {
    name: "a field that no request has",
    change: { validations: [{ expression: "request.user == 'mia'" }] },
    want: "undefined field 'user'",
  },
  {
    name: "a field that no namespace has",
    change: { validations: [{ expression: "namespaceObject.labels.a == 'b'" }] },
    want: "undefined field 'labels'",
  },
  {
    name: "an unknown reason",
    change: { validations: [{ expression: "true", reason: "Odd" }] },
    want: 'spec.validations[0].reason: Unsupported value: "Odd": supported values: "Forbidden", "Invalid", "RequestEntityTooLarge"',
  },
  {
    name: "a message of two lines",
    change: { validations: [{ expression: "true", message: "a\nb" }] },
    want: "message must not contain line breaks",
  },
  {
    name: "many annotations",
    change: {
      auditAnnotations: Array.from({ length: 21 }, (_, index) => ({
        key: `k${index}`,
        valueExpression: "'a'",
      })),
    },
    want: "spec.auditAnnotations: Too many: 21: must have at most 20 items",
  },
  {
    name: "an annotation that is a number",
    change: { auditAnnotations: [{ key: "k", valueExpression: "1" }] },
    want: "must evaluate to one of [string null] but got int",
  },
  {
    name: "many conditions",
    change: {
      matchConditions: Array.from({ length: 65 }, (_, index) => ({ name: `c${index}`, expression: "true" })),
    },
    want: "spec.matchConditions: Too many: 65: must have at most 64 items",
  },
  {
    name: "a bad failure policy",
    change: { failurePolicy: "Maybe" },
    want: "spec.failurePolicy: Unsupported",
  },
])("a policy with $name is refused", async ({ change, want }) => {
  const { request } = await startTestApiServer();
  const policy = { metadata: { name: "p" }, spec: { ...spec, ...change } };
  const { code, body } = await request(`POST ${registration}/validatingadmissionpolicies`, policy);
  expect(code).toBe(422);
  expect(body["message"]).toContain(want);
});

test.for<{ name: string; change: JsonObject; want: string }>([
  { name: "no policy", change: { policyName: "" }, want: "spec.policyName: Required value" },
  {
    name: "no action",
    change: { validationActions: [] },
    want: "spec.validationActions: Required value: at least one validation action is required",
  },
  {
    name: "two actions that say the same",
    change: { validationActions: ["Deny", "Warn"] },
    want: "must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)",
  },
  {
    name: "an unknown action",
    change: { validationActions: ["Shout"] },
    want: 'spec.validationActions[0]: Unsupported value: "Shout": supported values: "Audit", "Deny", "Warn"',
  },
  {
    name: "parameters without name and selector",
    change: { paramRef: { parameterNotFoundAction: "Deny" } },
    want: "spec.paramRef: Required value: one of name or selector must be specified",
  },
  {
    name: "parameters with both",
    change: { paramRef: { name: "a", selector: {}, parameterNotFoundAction: "Deny" } },
    want: "spec.paramRef.name: Forbidden: name and selector are mutually exclusive",
  },
  {
    name: "no word about absent parameters",
    change: { paramRef: { name: "a" } },
    want: "spec.paramRef.parameterNotFoundAction: Required value",
  },
])("a binding with $name is refused", async ({ change, want }) => {
  const { request } = await startTestApiServer();
  const binding = {
    metadata: { name: "b" },
    spec: { policyName: "p", validationActions: ["Deny"], ...change },
  };
  const { code, body } = await request(`POST ${registration}/validatingadmissionpolicybindings`, binding);
  expect(code).toBe(422);
  expect(body["message"]).toContain(want);
});
