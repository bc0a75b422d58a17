import { expect, test } from "vitest";
import { startTestApiServer } from "../api-server-fixture.contract.ts";

const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

test("there is none of the CustomResourceDefinitions for which kubectl looks before it creates a review", async () => {
  const { request } = await startTestApiServer();
  expect(await request(`GET ${definitions}`)).toMatchObject({
    code: 200,
    body: { items: [] },
  });
});

test.for([
  `GET ${definitions}/widgets.example.com`,
  `GET ${definitions}/widgets.example.com/status`,
  `PATCH ${definitions}/widgets.example.com`,
  `DELETE ${definitions}/widgets.example.com`,
  `DELETE ${definitions}`,
  "GET /apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies",
])("an operator that asks for what discovery does not list is told it is not there: %s", async (what) => {
  const { request } = await startTestApiServer();
  expect(await request(what)).toMatchObject({
    code: 404,
    body: { message: "the server could not find the requested resource" },
  });
});
