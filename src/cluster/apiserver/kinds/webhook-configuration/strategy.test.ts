import { describe, expect, test } from "vitest";
import { defaultFeatureGates } from "../../../../api/feature-gates.ts";
import { formatFieldError } from "../../../../api/field-error.ts";
import { mutatingWebhookConfigurationStrategy, validatingWebhookConfigurationStrategy } from "./strategy.ts";

const context = { gates: defaultFeatureGates, now: 0 };
const rule = { operations: ["CREATE"], apiGroups: [""], apiVersions: ["v1"], resources: ["pods"] };
const webhook = {
  name: "check.example.com",
  clientConfig: { url: "https://127.0.0.1:8443/check" },
  rules: [rule],
  sideEffects: "None",
  admissionReviewVersions: ["v1"],
};

test("webhooks get the defaults of Kubernetes", () => {
  const service = { namespace: "a", name: "b" };
  const sent = { webhooks: [{ ...webhook, clientConfig: { service } }] };
  const defaults = {
    failurePolicy: "Fail",
    matchPolicy: "Equivalent",
    namespaceSelector: {},
    objectSelector: {},
    timeoutSeconds: 10,
    rules: [{ ...rule, scope: "*" }],
    clientConfig: { service: { ...service, port: 443 } },
  };
  const validating = validatingWebhookConfigurationStrategy.defaults?.(sent);
  expect(validating).toEqual({ webhooks: [{ ...webhook, ...defaults }] });
  expect(mutatingWebhookConfigurationStrategy.defaults?.(sent)).toEqual({
    webhooks: [{ ...webhook, ...defaults, reinvocationPolicy: "Never" }],
  });
  if (validating !== undefined)
    expect(validatingWebhookConfigurationStrategy.defaults?.(validating)).toBe(validating);
});

test("a change of the webhooks, and nothing else, is a new generation", () => {
  const previous = { metadata: { generation: 3 }, webhooks: [webhook] };
  const update = (next: object) =>
    mutatingWebhookConfigurationStrategy.prepareForUpdate?.(
      { next: { ...previous, ...next }, previous },
      context,
    );
  expect(update({ metadata: { generation: 3, labels: { a: "b" } } })?.metadata?.generation).toBe(3);
  expect(update({ webhooks: [] })?.metadata?.generation).toBe(4);
});

describe("a webhook", () => {
  const problemsOf = (...webhooks: readonly object[]) =>
    (mutatingWebhookConfigurationStrategy.validate?.({ webhooks }, context) ?? []).map(formatFieldError);

  test("as it should be has no problems", () => {
    const service = { namespace: "a", name: "b", path: "/admit/pods", port: 8443 };
    expect(problemsOf(webhook)).toEqual([]);
    expect(problemsOf({ ...webhook, clientConfig: { service } })).toEqual([]);
  });

  test.for<{ name: string; change: object; want: string }>([
    {
      name: "a short name",
      change: { name: "check" },
      want: 'name: Invalid value: "check": should be a domain with at least three segments separated by dots',
    },
    { name: "no name", change: { name: undefined }, want: "name: Required value" },
    {
      name: "plain HTTP",
      change: { clientConfig: { url: "http://a.b/c" } },
      want: "'https' is the only allowed URL scheme",
    },
    {
      name: "a password",
      change: { clientConfig: { url: "https://u:p@a.b/c" } },
      want: "user information is not permitted in the URL",
    },
    {
      name: "a query",
      change: { clientConfig: { url: "https://a.b/c?d" } },
      want: "query parameters are not permitted in the URL",
    },
    {
      name: "a fragment",
      change: { clientConfig: { url: "https://a.b/c#d" } },
      want: "fragments are not permitted in the URL",
    },
    { name: "no URL", change: { clientConfig: { url: "::" } }, want: "url must be a valid URL" },
    {
      name: "neither",
      change: { clientConfig: {} },
      want: "clientConfig: Required value: exactly one of url or service is required",
    },
    {
      name: "no Service name",
      change: { clientConfig: { service: { namespace: "a" } } },
      want: "service.name: Required value",
    },
    {
      name: "a bad port",
      change: { clientConfig: { service: { namespace: "a", name: "b", port: 0 } } },
      want: "service.port: Invalid value: 0",
    },
    {
      name: "a bad path",
      change: { clientConfig: { service: { namespace: "a", name: "b", path: "c" } } },
      want: "must start with a '/'",
    },
    {
      name: "side effects",
      change: { sideEffects: "Some" },
      want: 'sideEffects: Unsupported value: "Some": supported values: "None", "NoneOnDryRun"',
    },
    {
      name: "no word about side effects",
      change: { sideEffects: undefined },
      want: "sideEffects: Required value",
    },
    {
      name: "a long timeout",
      change: { timeoutSeconds: 31 },
      want: "the timeout value must be between 1 and 30 seconds",
    },
    {
      name: "no timeout",
      change: { timeoutSeconds: 0 },
      want: "the timeout value must be between 1 and 30 seconds",
    },
    {
      name: "an unknown policy",
      change: { failurePolicy: "Maybe" },
      want: 'failurePolicy: Unsupported value: "Maybe"',
    },
    {
      name: "no review versions",
      change: { admissionReviewVersions: [] },
      want: "must specify one of v1, v1beta1",
    },
    {
      name: "only old review versions",
      change: { admissionReviewVersions: ["v1beta1"] },
      want: "must include v1: this server sends reviews of no other version",
    },
    {
      name: "a bad selector",
      change: { objectSelector: { matchExpressions: [{ key: "a", operator: "Like" }] } },
      want: "objectSelector.matchExpressions[0].operator",
    },
    {
      name: "a selector of namespaces with values that its operator does not take",
      change: { namespaceSelector: { matchExpressions: [{ key: "a", operator: "Exists", values: ["b"] }] } },
      want: "webhooks[0].namespaceSelector.matchExpressions[0].values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
    },
    {
      name: "a selector of namespaces without values",
      change: { namespaceSelector: { matchExpressions: [{ key: "a", operator: "In" }] } },
      want: "webhooks[0].namespaceSelector.matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
    },
    {
      name: "a selector of objects by a label that none can have",
      change: { objectSelector: { matchLabels: { a: "b c" } } },
      want: 'webhooks[0].objectSelector.matchLabels: Invalid value: "b c"',
    },
    {
      name: "no operations",
      change: { rules: [{ ...rule, operations: [] }] },
      want: "rules[0].operations: Required value",
    },
    {
      name: "an unknown operation",
      change: { rules: [{ ...rule, operations: ["GET"] }] },
      want: 'rules[0].operations[0]: Unsupported value: "GET"',
    },
    {
      name: "all operations and one",
      change: { rules: [{ ...rule, operations: ["*", "CREATE"] }] },
      want: "if '*' is present, must not specify other operations",
    },
    {
      name: "all groups and one",
      change: { rules: [{ ...rule, apiGroups: ["*", ""] }] },
      want: "if '*' is present, must not specify other API groups",
    },
    {
      name: "no resources",
      change: { rules: [{ ...rule, resources: undefined }] },
      want: "rules[0].resources: Required value",
    },
    {
      name: "everything and a resource",
      change: { rules: [{ ...rule, resources: ["*/*", "pods"] }] },
      want: "if '*/*' is present, must not specify other resources",
    },
    {
      name: "all resources and one",
      change: { rules: [{ ...rule, resources: ["*", "pods"] }] },
      want: "if '*' is present, must not specify other resources without subresources",
    },
    {
      name: "all subresources and one",
      change: { rules: [{ ...rule, resources: ["pods/*", "pods/log"] }] },
      want: "if 'pods/*' is present, must not specify pods/log",
    },
    {
      name: "an unknown scope",
      change: { rules: [{ ...rule, scope: "World" }] },
      want: 'rules[0].scope: Unsupported value: "World"',
    },
    {
      name: "a condition without a name",
      change: { matchConditions: [{ expression: "true" }] },
      want: "matchConditions[0].name: Required value",
    },
    {
      name: "an empty condition",
      change: { matchConditions: [{ name: "a", expression: " " }] },
      want: "matchConditions[0].expression: Required value",
    },
    {
      name: "two conditions of one name",
      change: { matchConditions: ["a", "a"].map((name) => ({ name, expression: "true" })) },
      want: 'matchConditions[1].name: Duplicate value: "a"',
    },
    {
      name: "many conditions",
      change: {
        matchConditions: Array.from({ length: 65 }, (_, index) => ({
          name: `c${index}`,
          expression: "true",
        })),
      },
      want: "matchConditions: Too many: 65: must have at most 64 items",
    },
  ])("with $name is refused", ({ change, want }) => {
    expect(problemsOf({ ...webhook, ...change }).join()).toContain(want);
  });

  test("of a name that another one has is refused", () => {
    expect(problemsOf(webhook, webhook)).toEqual(['webhooks[1].name: Duplicate value: "check.example.com"']);
  });
});
