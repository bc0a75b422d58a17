import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../../api/json.ts";
import { podOf, startTestApiServer } from "../../api-server-fixture.contract.ts";

const registration = "/apis/admissionregistration.k8s.io/v1";
const maps = "/api/v1/namespaces/default/configmaps";
const pods = "/api/v1/namespaces/default/pods";
const merge = "application/merge-patch+json";
const map = { metadata: { name: "x" }, data: { k: "v" } };

const rules = (...resources: readonly string[]): JsonObject => ({
  resourceRules: [{ operations: ["*"], apiGroups: ["*"], apiVersions: ["*"], resources }],
});

/** Starts an API server with the policy `p`, for ConfigMaps unless `spec` says otherwise, and the binding `b` of it. */
async function startWithPolicy(spec: JsonObject, binding: JsonObject = {}) {
  const server = await startTestApiServer();
  const posted = async (plural: string, object: JsonObject) => {
    const { code, body } = await server.request(`POST ${registration}/${plural}`, object);
    expect({ code, body }).toMatchObject({ code: 201 });
  };
  await posted("validatingadmissionpolicies", {
    metadata: { name: "p" },
    spec: { matchConstraints: rules("configmaps"), ...spec },
  });
  await posted("validatingadmissionpolicybindings", {
    metadata: { name: "b" },
    spec: { policyName: "p", validationActions: ["Deny"], ...binding },
  });
  return { ...server, posted };
}

const never = { expression: "false", message: "no" };
const denied = "ValidatingAdmissionPolicy 'p' with binding 'b' denied request: ";

test("a create that a policy denies is answered as by kube-apiserver, and leaves nothing behind", async () => {
  const { request, store } = await startWithPolicy({ validations: [never] });
  const before = store.revision();
  expect(await request(`POST ${maps}`, map)).toMatchObject({
    code: 422,
    body: {
      reason: "Invalid",
      message: `configmaps "x" is forbidden: ${denied}no`,
      details: { name: "x", kind: "configmaps", causes: [{ message: `${denied}no` }] },
    },
  });
  expect(store.revision()).toBe(before);
});

test("a policy without a binding has no effect, nor has one that is no longer bound", async () => {
  const { request } = await startWithPolicy({ validations: [never] });
  await request(`DELETE ${registration}/validatingadmissionpolicybindings/b`);
  expect(await request(`POST ${maps}`, map)).toMatchObject({ code: 201 });
});

test("a binding that warns lets the request pass", async () => {
  const { request } = await startWithPolicy(
    { validations: [never] },
    { validationActions: ["Warn", "Audit"] },
  );
  expect(await request(`POST ${maps}`, map)).toMatchObject({
    code: 201,
    warnings: ["Validation failed for ValidatingAdmissionPolicy 'p' with binding 'b': no"],
  });
});

test.for([
  { reason: "Forbidden", code: 403 },
  { reason: "Invalid", code: 422 },
  { reason: "RequestEntityTooLarge", code: 413 },
])("the reason $reason is answered with $code", async ({ reason, code }) => {
  const { request } = await startWithPolicy({ validations: [{ ...never, reason }] });
  expect(await request(`POST ${maps}`, map)).toMatchObject({ code, body: { reason } });
});

test.for<{ name: string; spec: JsonObject; want: string | undefined }>([
  {
    name: "the expression itself, where there is no message",
    spec: { validations: [{ expression: " object.data.k != 'v' " }] },
    want: "failed expression: object.data.k != 'v'",
  },
  {
    name: "what the message expression says",
    spec: { validations: [{ ...never, messageExpression: "'k is ' + object.data.k" }] },
    want: "k is v",
  },
  {
    name: "the message, where the message expression fails",
    spec: { validations: [{ ...never, messageExpression: "string(object.data.none)" }] },
    want: "no",
  },
  {
    name: "the message, where the message expression makes two lines",
    spec: { validations: [{ ...never, messageExpression: "'a\\nb'" }] },
    want: "no",
  },
  {
    name: "an error of evaluation",
    spec: { validations: [{ expression: "object.data.a == 'b'" }] },
    want: "expression 'object.data.a == 'b'' resulted in error: no such key: a",
  },
  {
    name: "nothing about an error, if it is ignored",
    spec: { failurePolicy: "Ignore", validations: [{ expression: "object.data.a == 'b'" }] },
    want: undefined,
  },
  {
    name: "what a variable made false",
    spec: {
      variables: [
        { name: "k", expression: "object.data.k" },
        { name: "isV", expression: "variables.k == 'v'" },
      ],
      validations: [{ expression: "!variables.isV", messageExpression: "'it is ' + variables.k" }],
    },
    want: "it is v",
  },
  {
    name: "the error of a variable that is read",
    spec: {
      variables: [{ name: "a", expression: "object.data.a" }],
      validations: [{ expression: "variables.a == 'x'" }],
    },
    want: `expression 'variables.a == 'x'' resulted in error: composited variable "a" fails to evaluate: no such key: a`,
  },
  {
    name: "nothing about the error of a variable that is not needed",
    spec: {
      variables: [{ name: "a", expression: "object.data.a" }],
      validations: [{ expression: "has(object.data.a) ? variables.a == 'x' : true" }],
    },
    want: undefined,
  },
  {
    name: "only the first of two",
    spec: { validations: [never, { expression: "false", message: "two" }] },
    want: "no",
  },
  {
    name: "nothing, where one condition is false and another fails",
    spec: {
      matchConditions: [
        { name: "a", expression: "object.data.a == 'b'" },
        { name: "f", expression: "false" },
      ],
      validations: [never],
    },
    want: undefined,
  },
  {
    name: "the error of a condition",
    spec: { matchConditions: [{ name: "a", expression: "object.data.a == 'b'" }], validations: [never] },
    want: "expression 'object.data.a == 'b'' resulted in error: no such key: a",
  },
  {
    name: "what is wrong with the request",
    spec: {
      validations: [
        {
          expression: "request.operation == 'UPDATE'",
          messageExpression:
            "request.userInfo.username + ' ' + request.name + ' ' + request.resource.resource",
        },
      ],
    },
    want: "tester x configmaps",
  },
  {
    name: "what is wrong with the namespace",
    spec: { validations: [{ expression: "namespaceObject.metadata.name != 'default'" }] },
    want: "failed expression: namespaceObject.metadata.name != 'default'",
  },
  {
    name: "an expression that costs too much",
    spec: {
      validations: [
        {
          expression: `${"[1,2,3,4,5,6,7,8,9].all(a, ".repeat(7).replaceAll("a,", "a,")}true${")".repeat(7)}`,
          message: "no",
        },
      ],
    },
    want: "operation cancelled: actual cost limit exceeded",
  },
  {
    name: "an annotation that cannot be made, whatever the actions are",
    spec: { auditAnnotations: [{ key: "k", valueExpression: "object.data.a + 'x'" }] },
    want: "expression 'object.data.a + 'x'' resulted in error: no such key: a",
  },
])("a denial says $name", async ({ spec, want }) => {
  const { request } = await startWithPolicy(spec);
  const { code, body } = await request(`POST ${maps}`, map);
  if (want === undefined) expect(code).toBe(201);
  else expect(body["message"]).toContain(want);
});

describe("a policy is evaluated", () => {
  test("for updates, in dry runs too, with both versions", async () => {
    const expression = "oldObject == null || object.data.k == oldObject.data.k";
    const { request } = await startWithPolicy({ validations: [{ expression, message: "k may not change" }] });
    expect(await request(`POST ${maps}`, map)).toMatchObject({ code: 201 });
    const change = { data: { k: "w" } };
    for (const query of ["", "?dryRun=All"])
      expect(await request(`PATCH ${maps}/x${query}`, change, merge)).toMatchObject({
        code: 422,
        body: { message: `configmaps "x" is forbidden: ${denied}k may not change` },
      });
    expect(await request(`PATCH ${maps}/x`, { data: { l: "w" } }, merge)).toMatchObject({ code: 200 });
  });

  test("for deletions, of collections too", async () => {
    const { request } = await startWithPolicy({
      validations: [{ expression: "request.operation != 'DELETE' || oldObject.data.k != 'v'" }],
    });
    await request(`POST ${maps}`, map);
    expect(await request(`DELETE ${maps}/x`)).toMatchObject({ code: 422 });
    expect(await request(`DELETE ${maps}`)).toMatchObject({ code: 422 });
    expect(await request(`GET ${maps}/x`)).toMatchObject({ code: 200 });
  });

  test("for subresources and connections that its rules name", async () => {
    const { request } = await startWithPolicy({
      matchConstraints: rules("pods/exec", "pods/eviction"),
      validations: [{ expression: "false", messageExpression: "string(request.subResource)" }],
    });
    expect(await request(`POST ${pods}`, podOf("a"))).toMatchObject({ code: 201 });
    const eviction = { metadata: { name: "a" } };
    expect(await request(`POST ${pods}/a/eviction`, eviction)).toMatchObject({
      code: 422,
      body: { message: `pods "a" is forbidden: ${denied}eviction` },
    });
    expect(await request(`POST ${pods}/a/exec?command=ls`)).toMatchObject({ code: 422 });
  });

  test("on what the server itself added, after the validation of the kind", async () => {
    const { request } = await startWithPolicy({
      matchConstraints: rules("pods"),
      validations: [{ expression: "object.spec.priority != 0", message: "priority is 0" }],
    });
    expect((await request(`POST ${pods}`, podOf("a"))).body["message"]).toContain("priority is 0");
    const invalid = { metadata: { name: "a" }, spec: {} };
    expect((await request(`POST ${pods}`, invalid)).body["message"]).toContain("spec.containers");
  });

  test("never for reviews and for what configures admission", async () => {
    const { request } = await startWithPolicy({ matchConstraints: rules("*/*"), validations: [never] });
    const review = { spec: { resourceAttributes: { verb: "get", resource: "pods" } } };
    expect(
      await request("POST /apis/authorization.k8s.io/v1/selfsubjectaccessreviews", review),
    ).toMatchObject({ code: 201 });
    expect(await request(`DELETE ${registration}/validatingadmissionpolicies/p`)).toMatchObject({
      code: 200,
    });
  });
});

test.for<{ name: string; constraints?: JsonObject; binding?: JsonObject; code: number }>([
  { name: "of another resource", constraints: rules("secrets"), code: 201 },
  { name: "of any resource", constraints: rules("*"), code: 422 },
  {
    name: "that is excluded",
    constraints: { ...rules("*"), excludeResourceRules: rules("configmaps")["resourceRules"] ?? [] },
    code: 201,
  },
  {
    name: "of another name",
    constraints: {
      resourceRules: [
        {
          operations: ["*"],
          apiGroups: [""],
          apiVersions: ["v1"],
          resources: ["configmaps"],
          resourceNames: ["y"],
        },
      ],
    },
    code: 201,
  },
  {
    name: "whose name is excluded",
    constraints: {
      ...rules("*"),
      excludeResourceRules: [
        {
          operations: ["*"],
          apiGroups: [""],
          apiVersions: ["v1"],
          resources: ["configmaps"],
          resourceNames: ["x"],
        },
      ],
    },
    code: 201,
  },
  {
    name: "without the label",
    constraints: { ...rules("*"), objectSelector: { matchLabels: { a: "b" } } },
    code: 201,
  },
  {
    name: "in another namespace",
    constraints: { ...rules("*"), namespaceSelector: { matchLabels: { a: "b" } } },
    code: 201,
  },
  {
    name: "in a namespace that the binding does not select",
    binding: { matchResources: { namespaceSelector: { matchLabels: { a: "b" } } } },
    code: 201,
  },
  {
    name: "that the binding is not for",
    binding: { matchResources: rules("secrets") },
    code: 201,
  },
  { name: "that the binding is for", binding: { matchResources: rules("configmaps") }, code: 422 },
])("a ConfigMap $name is answered with $code", async ({ constraints, binding, code }) => {
  const { request } = await startWithPolicy(
    { validations: [never], ...(constraints && { matchConstraints: constraints }) },
    binding,
  );
  expect(await request(`POST ${maps}`, map)).toMatchObject({ code });
});

describe("parameters", () => {
  const paramKind = { apiVersion: "v1", kind: "ConfigMap" };
  const spec = {
    paramKind,
    matchConstraints: rules("pods", "nodes"),
    validations: [
      {
        expression: "object.metadata.name != params.data.not",
        messageExpression: "'not ' + params.data.not",
      },
    ],
  };
  const param = (name: string, not: string) => ({ metadata: { name, labels: { of: "p" } }, data: { not } });
  const paramRef = { name: "params", parameterNotFoundAction: "Deny" };

  test("are read from the namespace of the request", async () => {
    const { request } = await startWithPolicy(spec, { paramRef });
    await request(`POST ${maps}`, param("params", "a"));
    expect((await request(`POST ${pods}`, podOf("a"))).body["message"]).toContain(`${denied}not a`);
    expect(await request(`POST ${pods}`, podOf("b"))).toMatchObject({ code: 201 });
  });

  test("that a selector selects are all asked", async () => {
    const selector = { matchLabels: { of: "p" } };
    const { request } = await startWithPolicy(spec, {
      paramRef: { selector, namespace: "default", parameterNotFoundAction: "Deny" },
    });
    await request(`POST ${maps}`, param("one", "a"));
    await request(`POST ${maps}`, param("two", "b"));
    expect((await request(`POST ${pods}`, podOf("b"))).body["message"]).toContain(`${denied}not b`);
    expect(await request(`POST ${pods}`, podOf("c"))).toMatchObject({ code: 201 });
  });

  test("that are not there deny the request, or let it pass", async () => {
    const { request } = await startWithPolicy(spec, { paramRef });
    expect(await request(`POST ${pods}`, podOf("a"))).toMatchObject({
      code: 422,
      body: {
        message: `pods "a" is forbidden: ${denied}failed to configure binding: no params found for policy binding with \`Deny\` parameterNotFoundAction`,
      },
    });
    const allowing = await startWithPolicy(spec, {
      paramRef: { ...paramRef, parameterNotFoundAction: "Allow" },
    });
    expect(await allowing.request(`POST ${pods}`, podOf("a"))).toMatchObject({ code: 201 });
    const ignoring = await startWithPolicy({ ...spec, failurePolicy: "Ignore" }, { paramRef });
    expect(await ignoring.request(`POST ${pods}`, podOf("a"))).toMatchObject({ code: 201 });
  });

  test("in the namespace of the request are none for an object without one", async () => {
    const { request } = await startWithPolicy(spec, { paramRef });
    const answer = await request("POST /api/v1/nodes", { metadata: { name: "n" } });
    expect(answer.body["message"]).toContain(
      "failed to configure binding: cannot use namespaced paramRef in policy binding that matches cluster-scoped resources",
    );
  });

  test("of an unknown kind are a failure of the policy, until the kind is there", async () => {
    const { request } = await startWithPolicy({
      ...spec,
      paramKind: { apiVersion: "example.com/v1", kind: "Foo" },
    });
    expect((await request(`POST ${pods}`, podOf("a"))).body["message"]).toBe(
      `pods "a" is forbidden: ValidatingAdmissionPolicy 'p' denied request: failed to configure policy: failed to find resource referenced by paramKind: 'example.com/v1, Kind=Foo'`,
    );
  });
});

describe("an expression asks what a user may do:", () => {
  const robot = "authorizer.serviceAccount('default', 'robot')";
  const check = `${robot}.group('').resource('configmaps').namespace('default')`;

  /** Starts with a service account that may delete a ConfigMap, update its status and read the metrics. */
  async function startWithRobot(expression: string, change: JsonObject = {}) {
    const validation = { expression, message: "no" };
    const server = await startWithPolicy({ validations: [validation], ...change });
    const rbac = "/apis/rbac.authorization.k8s.io/v1";
    const subjects = [{ kind: "ServiceAccount", name: "robot", namespace: "default" }];
    const bound = (kind: string) => ({
      metadata: { name: "robot" },
      subjects,
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind, name: "robot" },
    });
    await server.request(`POST ${rbac}/namespaces/default/roles`, {
      metadata: { name: "robot" },
      rules: [
        { apiGroups: [""], resources: ["configmaps"], resourceNames: ["x"], verbs: ["delete"] },
        { apiGroups: [""], resources: ["configmaps/status"], verbs: ["update"] },
      ],
    });
    await server.request(`POST ${rbac}/namespaces/default/rolebindings`, bound("Role"));
    await server.request(`POST ${rbac}/clusterroles`, {
      metadata: { name: "robot" },
      rules: [{ nonResourceURLs: ["/metrics"], verbs: ["get"] }],
    });
    await server.request(`POST ${rbac}/clusterrolebindings`, bound("ClusterRole"));
    return server;
  }

  test.for<{ expression: string; want: string }>([
    { expression: "authorizer.requestResource.check('create').allowed()", want: "yes" },
    { expression: "authorizer.group('apps').resource('deployments').check('get').allowed()", want: "yes" },
    { expression: `${check}.name('x').check('delete').allowed()`, want: "yes" },
    { expression: `${check}.name('y').check('delete').allowed()`, want: "no" },
    { expression: `${check}.name('x').namespace('other').check('delete').allowed()`, want: "no" },
    { expression: `${check}.subresource('status').check('update').allowed()`, want: "yes" },
    { expression: `${check}.check('update').allowed()`, want: "no" },
    {
      expression: `${check}.name('x').fieldSelector('a=b').labelSelector('a in (b)').check('delete').allowed()`,
      want: "yes",
    },
    { expression: `${robot}.path('/metrics').check('get').allowed()`, want: "yes" },
    { expression: `${robot}.path('/healthz').check('delete').allowed()`, want: "no" },
    {
      expression: `${check}.name('x').check('delete').reason().contains('RoleBinding "robot/default"')`,
      want: "yes",
    },
    {
      expression: `!${check}.check('get').errored() && ${check}.check('get').error() == ''`,
      want: "yes",
    },
    { expression: "authorizer.path(' ').check('get').allowed()", want: "path must not be empty" },
    {
      expression: "authorizer.group('').resource('').check('get').allowed()",
      want: "resource must not be empty",
    },
    {
      expression: "authorizer.serviceAccount('default', 'A').path('/x').check('get').allowed()",
      want: "Invalid service account name",
    },
    {
      expression: "authorizer.serviceAccount('a.b', 'a').path('/x').check('get').allowed()",
      want: "Invalid service account namespace",
    },
    {
      expression: `[1, 2, 3].all(i, ${robot}.path('/metrics').check('get').allowed())`,
      want: "operation cancelled: actual cost limit exceeded",
    },
  ])("$expression: $want", async ({ expression, want }) => {
    const { request } = await startWithRobot(expression);
    const { code, body } = await request(`POST ${maps}`, map);
    if (want === "yes") expect(code).toBe(201);
    else expect(body["message"]).toContain(want);
  });

  test("also in a match condition and in a variable", async () => {
    const expression = `${robot}.path('/metrics').check('get').allowed()`;
    const { request } = await startWithRobot("!variables.may", {
      matchConditions: [{ name: "c", expression }],
      variables: [{ name: "may", expression }],
    });
    expect((await request(`POST ${maps}`, map)).body["message"]).toContain(`${denied}no`);
  });

  test("but not in a message, nor in a variable that a message reads", async () => {
    const { request } = await startWithRobot("true", {
      variables: [{ name: "why", expression: "authorizer.path('/').check('get').reason()" }],
      validations: [{ ...never, messageExpression: "variables.why" }],
    });
    expect((await request(`POST ${maps}`, map)).body["message"]).toContain(`${denied}no`);
  });

  test("for the subresource of the request", async () => {
    const { request } = await startWithRobot("true", {
      matchConstraints: rules("pods/eviction"),
      validations: [
        { expression: "!authorizer.requestResource.check('create').allowed()", message: "may evict" },
      ],
    });
    await request(`POST ${pods}`, podOf("a"));
    const answer = await request(`POST ${pods}/a/eviction`, { metadata: { name: "a" } });
    expect(answer.body["message"]).toContain(`${denied}may evict`);
  });
});

test("a chain of thousands of variables is evaluated, each once", async () => {
  const links = Array.from({ length: 3000 }, (_, index) => ({
    name: `v${index}`,
    expression: index === 0 ? "1" : `variables.v${index - 1} + 1`,
  }));
  const { request } = await startWithPolicy({
    variables: links,
    validations: [{ expression: "variables.v2999 != 3000", message: "3000" }],
  });
  expect((await request(`POST ${maps}`, map)).body["message"]).toContain(`${denied}3000`);
});
