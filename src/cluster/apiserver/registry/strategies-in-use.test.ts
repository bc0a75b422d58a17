import { describe, expect, test } from "vitest";
import { deploymentOf, podOf, startTestApiServer } from "../api-server-fixture.contract.ts";

const pods = "/api/v1/namespaces/default/pods";
const configMaps = "/api/v1/namespaces/default/configmaps";
const deployments = "/apis/apps/v1/namespaces/default/deployments";

test("a namespace with a generated name is labelled with it", async () => {
  const { request } = await startTestApiServer();
  const { body } = await request("POST /api/v1/namespaces", { metadata: { generateName: "a-" } });
  const { name, labels } = body["metadata"] as { name: string; labels: object };
  expect(labels).toEqual({ "kubernetes.io/metadata.name": name });
});

test("owner references that are repeated are stored once, with a warning", async () => {
  const { request } = await startTestApiServer();
  const owner = { apiVersion: "v1", kind: "ConfigMap", name: "o", uid: "u" };
  const sent = { metadata: { name: "a", ownerReferences: [owner, owner] } };
  const { body, warnings } = await request(`POST ${configMaps}`, sent);
  expect(body).toMatchObject({ metadata: { ownerReferences: [owner] } });
  expect(warnings).toEqual([
    expect.stringMatching(/contains duplicate entries.*duplicate UID\(s\) observed: u$/),
  ]);
});

describe("a Deployment", () => {
  test("that is written back as it was read is not written", async () => {
    const { request } = await startTestApiServer();
    const { body } = await request(`POST ${deployments}`, deploymentOf("web"));
    const again = await request(`PUT ${deployments}/web`, body);
    expect(again.body).toEqual(body);
  });

  test("that is refused says all that is wrong with it", async () => {
    const { request } = await startTestApiServer();
    const sent = deploymentOf("web");
    const { code, body } = await request(`POST ${deployments}`, {
      ...sent,
      spec: { ...(sent["spec"] as object), replicas: -1, podReplacementPolicy: "Foo" },
    });
    expect(code).toBe(422);
    expect(body).toMatchObject({
      message:
        'Deployment.apps "web" is invalid: [spec.replicas: Invalid value: -1: must be greater than or equal to 0, spec.podReplacementPolicy: Unsupported value: "Foo": supported values: "TerminationComplete", "TerminationStarted"]',
      details: {
        causes: [
          { reason: "FieldValueInvalid", field: "spec.replicas" },
          { reason: "FieldValueNotSupported", field: "spec.podReplacementPolicy" },
        ],
      },
    });
  });
});

test("a Pod that is written back as it was read is not written, and cannot move", async () => {
  const { request } = await startTestApiServer();
  const { body } = await request(`POST ${pods}`, podOf("a"));
  expect((await request(`PUT ${pods}/a`, body)).body).toEqual(body);
  const moved = { ...body, spec: { ...(body["spec"] as object), nodeName: "n2" } };
  const { code, body: refusal } = await request(`PUT ${pods}/a`, moved);
  expect(code).toBe(422);
  expect(refusal["message"]).toMatch(
    /^Pod "a" is invalid: spec: Forbidden: pod updates may not change fields other than .*\nchanged: spec.nodeName$/,
  );
});
