import { expect, test } from "vitest";
import { startTestApiServer } from "../api-server-fixture.contract.ts";

const policies = "/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicies";

test.for([
  `GET ${policies}`,
  `GET ${policies}/a`,
  `PATCH ${policies}/a`,
  `DELETE ${policies}/a`,
  `DELETE ${policies}`,
])("an operator that asks for what discovery does not list is told it is not there: %s", async (what) => {
  const { request } = await startTestApiServer();
  expect(await request(what)).toMatchObject({
    code: 404,
    body: { message: "the server could not find the requested resource" },
  });
});
