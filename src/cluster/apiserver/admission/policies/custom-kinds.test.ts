import { expect, test } from "vitest";
import { podOf } from "../../api-server-fixture.contract.ts";
import {
  foo,
  fooDefinition,
  foos,
  fooVersion,
  startFooServer,
} from "../../custom-resources/foo-definition.contract.ts";

const registration = "/apis/admissionregistration.k8s.io/v1";
const rulesFor = (apiGroup: string, version: string, resource: string) => ({
  resourceRules: [
    { operations: ["CREATE"], apiGroups: [apiGroup], apiVersions: [version], resources: [resource] },
  ],
});

test("a policy denies a custom object", async () => {
  const { request } = await startFooServer();
  await request(`POST ${registration}/validatingadmissionpolicies`, {
    metadata: { name: "p" },
    spec: {
      matchConstraints: rulesFor("example.com", "v1", "foos"),
      validations: [{ expression: "has(object.spec.n)", message: "M" }],
    },
  });
  await request(`POST ${registration}/validatingadmissionpolicybindings`, {
    metadata: { name: "b" },
    spec: { policyName: "p", validationActions: ["Deny"] },
  });
  expect(await request(`POST ${foos}`, foo({}))).toMatchObject({
    code: 422,
    body: {
      reason: "Invalid",
      message:
        "foos.example.com \"x\" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied request: M",
    },
  });
});

test("a policy sees an object in the version that its rules name", async () => {
  const { request } = await startFooServer(fooDefinition([fooVersion("v1"), fooVersion("v2")]));
  await request(`POST ${registration}/validatingadmissionpolicies`, {
    metadata: { name: "p" },
    spec: {
      matchConstraints: rulesFor("example.com", "v2", "foos"),
      validations: [
        {
          expression: "false",
          messageExpression: "string(object.apiVersion) + ' ' + string(request.requestKind.version)",
        },
      ],
    },
  });
  await request(`POST ${registration}/validatingadmissionpolicybindings`, {
    metadata: { name: "b" },
    spec: { policyName: "p", validationActions: ["Deny"] },
  });
  expect((await request(`POST ${foos}`, foo({}))).body["message"]).toContain(
    "denied request: example.com/v2 v1",
  );
});

test("custom objects are parameters", async () => {
  const { request } = await startFooServer(
    fooDefinition([fooVersion("v1", { spec: { not: { type: "string" } } })]),
  );
  await request(`POST ${registration}/validatingadmissionpolicies`, {
    metadata: { name: "p" },
    spec: {
      paramKind: { apiVersion: "example.com/v1", kind: "Foo" },
      matchConstraints: rulesFor("", "v1", "pods"),
      validations: [{ expression: "object.metadata.name != params.spec.not", message: "M" }],
    },
  });
  await request(`POST ${registration}/validatingadmissionpolicybindings`, {
    metadata: { name: "b" },
    spec: {
      policyName: "p",
      validationActions: ["Deny"],
      paramRef: { name: "x", parameterNotFoundAction: "Deny" },
    },
  });
  await request(`POST ${foos}`, foo({ not: "a" }));
  const pods = "/api/v1/namespaces/default/pods";
  expect(await request(`POST ${pods}`, podOf("a"))).toMatchObject({ code: 422 });
  expect(await request(`POST ${pods}`, podOf("b"))).toMatchObject({ code: 201 });
});
