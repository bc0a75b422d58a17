import { expect, test } from "vitest";
import type { JsonObject } from "../../api/json.ts";
import { type AdmissionAnswer, answerReview, readReview } from "./review.ts";
import { validatingAdmission } from "./validate-wishes.ts";

const name = "trimtab.dev/downscale-pod-picker";
const picker = JSON.stringify({ http: { host: "picker", port: 80 } });
const at = `metadata.annotations[${name}]`;
const owned = {
  ownerReferences: [{ apiVersion: "apps/v1", kind: "Deployment", name: "web", uid: "1", controller: true }],
};

const workload = (annotations: JsonObject, metadata: JsonObject = {}): JsonObject => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "web", annotations, ...metadata },
});

async function answerTo(
  object: JsonObject,
  {
    oldObject = null,
    arePickersOff = true,
    resource = "deployments",
  }: { oldObject?: JsonObject | null; arePickersOff?: boolean; resource?: string } = {},
): Promise<AdmissionAnswer> {
  const review = readReview(
    JSON.stringify({
      apiVersion: "admission.k8s.io/v1",
      kind: "AdmissionReview",
      request: { uid: "7", resource: { resource }, operation: "UPDATE", object, oldObject },
    }),
  );
  if (!review.ok) throw new Error(review.problem);
  return validatingAdmission({ arePickersOff })(review.request);
}

test.for([
  {
    name: "no address",
    value: "{}",
    field: at,
    message: "Required value: must specify one of: http, grpc",
  },
  { name: "no host", value: '{"http":{"port":80}}', field: `${at}.http.host`, message: "Required value" },
  { name: "no JSON", value: "{", field: at, message: 'Invalid value: "{": must be JSON' },
])("the refusal of a picker with $name has its message, also where kubectl reads it", async (refused) => {
  const { value, field, message } = refused;
  expect(await answerTo(workload({ [name]: value }))).toMatchObject({
    allowed: false,
    status: {
      message: `Deployment "web" is invalid: ${field}: ${message}`,
      details: { causes: [{ field, message }] },
    },
  });
});

const warning = `${at}: pod pickers are switched off in this cluster`;

test("whoever writes a picker where pickers are switched off is warned", async () => {
  const answer = await answerTo(workload({ [name]: picker }));
  expect(answerReview({ uid: "7" }, answer)).toMatchObject({ response: { warnings: [warning] } });
});

test.for([
  { name: "pickers are asked", object: workload({ [name]: picker }), options: { arePickersOff: false } },
  { name: "there is no picker", object: workload({ "trimtab.dev/removal-order": "trimtab" }), options: {} },
  {
    name: "it was there before",
    object: workload({ [name]: picker, other: "2" }),
    options: { oldObject: workload({ [name]: picker }) },
  },
  { name: "it is a copy of the Deployment's", object: workload({ [name]: picker }, owned), options: {} },
])("nobody is warned of a picker where $name", async ({ object, options }) => {
  expect(await answerTo(object, options)).toEqual({ allowed: true });
});

test.for([
  { resource: "statefulsets", kind: "StatefulSet" },
  { resource: "daemonsets", kind: "DaemonSet" },
])("a wish on a $kind, which cannot be steered, is a warning where it is written first", async (asked) => {
  const { resource, kind } = asked;
  const wished = workload({ "trimtab.dev/removal-order": "trimtab" });
  expect(await answerTo(wished, { resource })).toEqual({
    allowed: true,
    warnings: [
      `metadata.annotations[trimtab.dev/removal-order]: has no effect on a ${kind}: trimtab steer steers ReplicaSets, and what scales them`,
    ],
  });
  expect(await answerTo(wished, { resource, oldObject: wished })).toEqual({ allowed: true });
  expect(await answerTo(workload({}), { resource })).toEqual({ allowed: true });
});
