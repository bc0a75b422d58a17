import { expect, test } from "vitest";
import { convertSettings } from "./convert-settings.ts";
import type { JsonObject } from "./json.ts";

const picker = { http: { host: "picker.default.svc", port: 80 }, timeoutSeconds: 2 };
const text = JSON.stringify(picker);
const fieldAt = ["spec", "downscalePodPicker"];
const annotationAt = ["metadata", "annotations", "trimtab.dev/downscale-pod-picker"];

const workload = (spec: JsonObject, annotations: JsonObject = {}, kind = "Deployment"): JsonObject => ({
  apiVersion: "apps/v1",
  kind,
  metadata: { name: "web", annotations },
  spec,
});

test.for([
  {
    name: "a picker becomes an annotation",
    object: workload({ downscalePodPicker: picker }),
    form: "stock",
    moves: [{ from: fieldAt, to: annotationAt, value: text }],
  },
  {
    name: "an annotation becomes a picker",
    object: workload({}, { "trimtab.dev/downscale-pod-picker": text }),
    form: "trimtab",
    moves: [{ from: annotationAt, to: fieldAt, value: picker }],
  },
  {
    name: "a policy becomes an annotation",
    object: workload({ podReplacementPolicy: "TerminationComplete" }),
    form: "stock",
    moves: [
      {
        from: ["spec", "podReplacementPolicy"],
        to: ["metadata", "annotations", "trimtab.dev/pod-replacement-policy"],
        value: "TerminationComplete",
      },
    ],
  },
  {
    name: "the items of a list are converted",
    object: {
      apiVersion: "v1",
      kind: "List",
      items: [workload({}), workload({ downscalePodPicker: picker })],
    },
    form: "stock",
    moves: [{ from: ["items", 1, ...fieldAt], to: ["items", 1, ...annotationAt], value: text }],
  },
  {
    name: "of a field and an annotation that say the same, one goes",
    object: workload({ downscalePodPicker: picker }, { "trimtab.dev/downscale-pod-picker": `${text} ` }),
    form: "stock",
    moves: [{ from: fieldAt, to: annotationAt }],
  },
  {
    name: "a field that is null is unset",
    object: workload({ downscalePodPicker: null }),
    form: "stock",
    moves: [{ from: fieldAt, to: annotationAt }],
  },
  {
    name: "a ReplicaSet has no policy of Deployments",
    object: workload({ podReplacementPolicy: "TerminationComplete" }, {}, "ReplicaSet"),
    form: "stock",
    moves: [],
  },
  {
    name: "the policy of a Job is Kubernetes' own",
    object: { ...workload({ podReplacementPolicy: "Failed" }, {}, "Job"), apiVersion: "batch/v1" },
    form: "stock",
    moves: [],
  },
  {
    name: "what is converted already stays",
    object: workload({ downscalePodPicker: picker }),
    form: "trimtab",
    moves: [],
  },
] as const)("$name", ({ object, form, moves }) => {
  expect(convertSettings(object, form)).toEqual({ ok: true, moves });
});

test.for([
  {
    name: "a field and an annotation that disagree are left to a person",
    object: workload({ downscalePodPicker: picker }, { "trimtab.dev/downscale-pod-picker": "{}" }),
    form: "stock",
    path: fieldAt,
    error: {
      field: "spec.downscalePodPicker",
      detail:
        "metadata.annotations[trimtab.dev/downscale-pod-picker] says something else; remove one of them",
    },
  },
  {
    name: "an annotation that is not JSON is named",
    object: workload({}, { "trimtab.dev/downscale-pod-picker": "{http" }),
    form: "trimtab",
    path: annotationAt,
    error: {
      field: "metadata.annotations[trimtab.dev/downscale-pod-picker]",
      value: "{http",
      detail: "must be JSON",
    },
  },
  {
    name: "a picker that is no object is named",
    object: workload({ downscalePodPicker: "picker.default.svc" }),
    form: "stock",
    path: fieldAt,
    error: { field: "spec.downscalePodPicker", detail: "must be an object" },
  },
  {
    name: "a policy that is no text is named",
    object: workload({ podReplacementPolicy: true }),
    form: "stock",
    path: ["spec", "podReplacementPolicy"],
    error: { field: "spec.podReplacementPolicy", detail: "must be a text" },
  },
] as const)("$name", ({ object, form, path, error }) => {
  expect(convertSettings(object, form)).toMatchObject({ ok: false, errors: [{ path, error }] });
});
