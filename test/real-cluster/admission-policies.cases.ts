import type { JsonObject } from "../../src/api/json.ts";
import type { ComparedRequest } from "./custom-resource-answers.ts";

interface PolicyCase {
  readonly name: string;
  readonly spec: JsonObject;
}

const constraints = (apiGroup: string, ...resources: readonly string[]): JsonObject => ({
  resourceRules: [{ apiGroups: [apiGroup], apiVersions: ["v1"], operations: ["*"], resources }],
});

/** Returns a policy; its rules are for ConfigMaps unless it says otherwise. */
export function policyNamed(name: string, spec: JsonObject): JsonObject {
  return { metadata: { name }, spec: { matchConstraints: constraints("", "configmaps"), ...spec } };
}

const written = (expression: string): PolicyCase => ({
  name: expression,
  spec: { validations: [{ expression }] },
});

/** Policies that are written only. */
export const writtenPolicies: readonly PolicyCase[] = [
  ...[
    "authorizer.requestResource.check('get')",
    "authorizer.requestResource.check('get').allowed()",
    "authorizer.path('/x').check('get').reason() == ''",
    "authorizer.group('').check('get').allowed()",
    "authorizer.requestResource.name == 'x'",
    "has(authorizer.requestResource)",
    "authorizer == null",
    "type(authorizer) == kubernetes.authorization.Authorizer",
    "object.metadata.name.check('get')",
    "request.user == 'mia'",
    "request.userInfo.username == 1",
    "request.userInfo.extra['a'].size() > 0",
    "request.options.dryRun[0] == 'All'",
    "request.kind.group == 'apps' && request.resource.resource == 'deployments'",
    "namespaceObject.labels.a == 'b'",
    "namespaceObject.metadata.labels['a'] == 'b'",
    "namespaceObject.metadata.creationTimestamp > timestamp('2020-01-01T00:00:00Z')",
    "namespaceObject == null",
    "params.a == 'b'",
    "variables.a == 'b'",
    "object.a",
    "quantity('1').none",
    "[].all(x, x.size() == 0 || x == 'a')",
  ].map(written),
  {
    name: "a message that asks",
    spec: {
      validations: [{ expression: "true", messageExpression: "authorizer.path('/').check('get').reason()" }],
    },
  },
  {
    name: "a variable of the type of a request",
    spec: {
      variables: [{ name: "user", expression: "request.userInfo" }],
      validations: [{ expression: "variables.user.none == 'a'" }],
    },
  },
  {
    name: "a condition and an annotation that ask",
    spec: {
      matchConditions: [{ name: "a", expression: "authorizer.requestResource.check('get').allowed()" }],
      auditAnnotations: [{ key: "a", valueExpression: "authorizer.requestResource.check('get').reason()" }],
    },
  },
];

const checked = (expression: string, messageExpression?: string): PolicyCase => ({
  name: expression,
  spec: {
    matchConstraints: constraints("apps", "deployments"),
    validations: [{ expression, ...(messageExpression !== undefined && { messageExpression }) }],
  },
});

/** Policies whose expressions are checked against the kinds that they are for. */
export const checkedPolicies: readonly PolicyCase[] = [
  checked("object.spec.replicas <= 5 && object.metadata.labels.size() < 9"),
  checked("object.spec.size < 5"),
  checked("object.spec.replicas == '5'", "'at most ' + object.spec.replicas"),
  checked("object.spec.strategy.rollingUpdate.maxSurge == '25%'"),
  checked("object.metadata.creationTimestamp == 'x'"),
  checked("object.spec.template.spec.containers.all(c, has(c.resources.limits) && c.image == 1)"),
  checked("object.spec.template.spec.containers.all(c, c.ports.exists(p, p.none == 1))"),
  checked("object.spec.template.spec.nodeSelector['a'] == 1"),
  checked("object.metadata.managedFields[0].fieldsV1.a == 1"),
  checked("object == oldObject || object.spec == 1"),
  {
    name: "variables of several types",
    spec: {
      matchConstraints: constraints("apps", "deployments"),
      variables: [
        { name: "image", expression: "object.spec.template.spec.containers[0].image" },
        { name: "spec", expression: "object.spec" },
        { name: "none", expression: "object.none" },
      ],
      validations: [
        { expression: "variables.image > 1" },
        { expression: "variables.spec.none == 1" },
        { expression: "variables.none == 1" },
      ],
    },
  },
  {
    name: "two kinds, subresources, a wildcard and a kind that is not there",
    spec: {
      matchConstraints: {
        resourceRules: [
          {
            apiGroups: ["", "apps"],
            apiVersions: ["v1"],
            operations: ["*"],
            resources: ["pods", "pods/log", "deployments", "none"],
          },
          { apiGroups: ["*"], apiVersions: ["v1"], operations: ["*"], resources: ["secrets"] },
        ],
      },
      validations: [{ expression: "object.spec.replicas == 1 && object.spec.containers.size() == 1" }],
    },
  },
  {
    name: "parameters",
    spec: {
      paramKind: { apiVersion: "v1", kind: "ConfigMap" },
      matchConstraints: constraints("apps", "deployments"),
      validations: [{ expression: "params.data.a == 'b' && params.spec.a == 'b'" }],
    },
  },
  {
    name: "parameters of a kind that is not there",
    spec: {
      paramKind: { apiVersion: "example.com/v1", kind: "Foo" },
      matchConstraints: constraints("apps", "deployments"),
      validations: [{ expression: "params.spec.a == 'b'" }],
    },
  },
];

const robot = "authorizer.serviceAccount('default', 'robot')";
const check = `${robot}.group('').resource('configmaps').namespace('default')`;

/** What the message says that tells why something is allowed. */
export const policyVariables: readonly JsonObject[] = [
  { name: "reason", expression: `${check}.name('x').check('delete').reason()` },
];

/** Expressions, each of which is a warning if it is false or an error. */
export const evaluatedExpressions: readonly string[] = [
  "!authorizer.requestResource.check('create').allowed()",
  "!authorizer.group('apps').resource('deployments').check('get').allowed()",
  `!${check}.name('x').check('delete').allowed()`,
  `${check}.name('y').check('delete').allowed()`,
  `${check}.name('x').namespace('other').check('delete').allowed()`,
  `!${check}.subresource('status').check('update').allowed()`,
  `!${check}.name('x').fieldSelector('a=b').labelSelector('a in (b').check('delete').allowed()`,
  `!${robot}.path('/metrics').check('get').allowed()`,
  `${robot}.path('/metrics').check('post').allowed()`,
  `${check}.check('get').errored() || ${check}.check('get').error() != ''`,
  "authorizer.path(' ').check('get').allowed()",
  "authorizer.group('').resource('').check('get').allowed()",
  "authorizer.serviceAccount('default', 'A').path('/x').check('get').allowed()",
  "authorizer.serviceAccount('a.b', 'a').path('/x').check('get').allowed()",
  `[1, 2, 3].all(i, ${robot}.path('/metrics').check('get').allowed())`,
  "namespaceObject.metadata.name != 'default'",
  "request.name == 'y' && request.dryRun",
  "request.userInfo.username == 'nobody'",
  "type(authorizer.group('')) == string",
];

const rbac = "/apis/rbac.authorization.k8s.io/v1";
const roleOf = (kind: string, rules: readonly JsonObject[]): JsonObject => ({
  kind,
  apiVersion: "rbac.authorization.k8s.io/v1",
  metadata: { name: "robot" },
  rules,
});
const boundTo = (kind: string): JsonObject => ({
  metadata: { name: "robot" },
  subjects: [{ kind: "ServiceAccount", name: "robot", namespace: "default" }],
  roleRef: { apiGroup: "rbac.authorization.k8s.io", kind, name: "robot" },
});

/** Gives the service account its rights. */
export const robotAccess: readonly ComparedRequest[] = [
  {
    what: `POST ${rbac}/namespaces/default/roles`,
    body: roleOf("Role", [
      { apiGroups: [""], resources: ["configmaps"], resourceNames: ["x"], verbs: ["delete"] },
      { apiGroups: [""], resources: ["configmaps/status"], verbs: ["update"] },
    ]),
  },
  { what: `POST ${rbac}/namespaces/default/rolebindings`, body: boundTo("Role") },
  {
    what: `POST ${rbac}/clusterroles`,
    body: roleOf("ClusterRole", [{ nonResourceURLs: ["/metrics"], verbs: ["get"] }]),
  },
  { what: `POST ${rbac}/clusterrolebindings`, body: boundTo("ClusterRole") },
];
