import { expect, test } from "vitest";
import { startTestApiServer } from "../api-server-fixture.contract.ts";

const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

test.for([
  `GET ${definitions}`,
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
