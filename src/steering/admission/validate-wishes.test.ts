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
    isProtecting = true,
    resource = "deployments",
  }: {
    oldObject?: JsonObject | null;
    arePickersOff?: boolean;
    isProtecting?: boolean;
    resource?: string;
  } = {},
): Promise<AdmissionAnswer> {
  const review = readReview(
    JSON.stringify({
      apiVersion: "admission.k8s.io/v1",
      kind: "AdmissionReview",
      request: { uid: "7", resource: { resource }, operation: "UPDATE", object, oldObject },
    }),
  );
  if (!review.ok) throw new Error(review.problem);
  return validatingAdmission({ arePickersOff, isProtecting: () => isProtecting })(review.request);
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
  {
    name: "it is a copy of the Deployment's",
    object: workload({ [name]: picker }, owned),
    options: { resource: "replicasets" },
  },
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

test("the ReplicaSet of a Deployment whose wish makes no sense is not refused: its rollout would not go on", async () => {
  const copy = workload({ [name]: "{", "trimtab.dev/protection-limit": "long" }, owned);
  expect(await answerTo(copy, { resource: "replicasets", arePickersOff: false })).toEqual({ allowed: true });
});

const limit = "trimtab.dev/protection-limit";

/** A Deployment whose removals may be held back, beside the progress deadline of its rollouts. */
const limited = (value: string, spec: JsonObject = { progressDeadlineSeconds: 600 }): JsonObject => ({
  ...workload({ [limit]: value }),
  spec,
});

test("a limit of protection that is no duration is refused", async () => {
  const field = `metadata.annotations[${limit}]`;
  const message = 'Invalid value: "soon": must be a duration between 0s and 24h0m0s, such as 45m';
  expect(await answerTo(limited("soon"))).toMatchObject({
    allowed: false,
    status: { details: { causes: [{ field, message }] } },
  });
  expect(await answerTo(limited("soon"), { oldObject: limited("soon") })).toEqual({ allowed: true });
});

test("a limit of protection beyond the progress deadline is a warning where it is written", async () => {
  const answer = await answerTo(limited("45m"));
  expect(answer).toEqual({
    allowed: true,
    warnings: [
      `metadata.annotations[${limit}]: 45m0s is longer than spec.progressDeadlineSeconds: a rollout that waits for protected pods is reported as failed after 10m0s, and goes on`,
    ],
  });
});

test.for([
  { name: "it is shorter", object: limited("9m") },
  { name: "there is no deadline", object: limited("45m", {}) },
  { name: "it was there before", object: limited("45m"), oldObject: limited("45m") },
  { name: "protection is switched off", object: limited("45m"), isProtecting: false },
  {
    name: "Recreate does not look at it",
    object: limited("45m", { progressDeadlineSeconds: 600, strategy: { type: "Recreate" } }),
  },
])("nobody is warned of a limit of protection where $name", async ({ object, ...options }) => {
  expect(await answerTo(object, options)).toEqual({ allowed: true });
});
