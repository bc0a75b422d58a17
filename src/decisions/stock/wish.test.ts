import { describe, expect, test } from "vitest";
import { formatFieldError } from "../../api/field-error.ts";
import { validateWishes } from "./validate-wish.ts";
import { isSteered, wishesOf } from "./wish.ts";

const order = "trimtab.dev/removal-order";
const policy = "trimtab.dev/pod-replacement-policy";
const picker = "trimtab.dev/downscale-pod-picker";
const spread = "trimtab.dev/scale-down-spread";

type Annotations = Readonly<Record<string, string>>;

const workload = (annotations: Annotations, template: Annotations = {}) => ({
  metadata: { name: "web", uid: "1", resourceVersion: "1", annotations },
  spec: { template: { metadata: { annotations: template }, spec: { containers: [] } } },
});

describe("a workload asks", () => {
  test.each([
    ["nobody asked", {}, {}, {}, { steersRemovals: false }],
    ["by an annotation", { [order]: "trimtab" }, {}, {}, { steersRemovals: true }],
    [
      "by its template",
      {},
      { [policy]: "TerminationComplete" },
      {},
      { steersRemovals: false, policy: "TerminationComplete" },
    ],
    ["by its namespace", {}, {}, { [order]: "trimtab" }, { steersRemovals: true }],
    ["to empty nodes", { [order]: "consolidate" }, {}, {}, { steersRemovals: true, consolidates: true }],
    [
      "to keep domains even, whatever its namespace says",
      { [spread]: "true" },
      {},
      { [order]: "consolidate" },
      { steersRemovals: true, spreads: true },
    ],
    [
      "by the annotation first",
      { [policy]: "TerminationStarted" },
      { [policy]: "TerminationComplete" },
      { [policy]: "TerminationComplete" },
      { steersRemovals: false, policy: "TerminationStarted" },
    ],
    ["for a picker", { [picker]: '{"http":{}}' }, {}, {}, { steersRemovals: true, picker: { http: {} } }],
    ["for even zones", { [spread]: "true" }, {}, {}, { steersRemovals: true, spreads: true }],
    [
      "for even zones by its namespace",
      {},
      {},
      { [spread]: "true" },
      { steersRemovals: true, spreads: true },
    ],
    [
      "for no even zones",
      { [spread]: "false" },
      {},
      { [spread]: "true" },
      { steersRemovals: false, spreads: false },
    ],
    ["for even zones perhaps", { [spread]: "perhaps" }, {}, {}, { steersRemovals: false }],
    ["for no picker by its namespace", {}, {}, { [picker]: "x" }, { steersRemovals: false }],
    ["for what makes no sense", { [order]: "mine", [policy]: "Never" }, {}, {}, { steersRemovals: false }],
    ["for a picker that is no JSON", { [picker]: "{" }, {}, {}, { steersRemovals: true, picker: "{" }],
  ])("%s", (_, annotations, template, labels, wishes) => {
    expect(wishesOf(workload(annotations as Annotations, template as Annotations), labels)).toEqual(wishes);
    expect(isSteered(wishes as never)).toBe(Object.values(wishes).some(Boolean));
  });
});

describe("a wish that makes no sense is refused in the words of the field", () => {
  const sentences = (next: Record<string, unknown>, stored?: Record<string, unknown>) =>
    validateWishes(next, "metadata.annotations", stored).map(formatFieldError);

  test.each([
    [order, "mine", 'Unsupported value: "mine": supported values: "trimtab", "consolidate"'],
    [
      policy,
      "Never",
      'Unsupported value: "Never": supported values: "TerminationComplete", "TerminationStarted"',
    ],
    [spread, "yes", 'Unsupported value: "yes": supported values: "true", "false"'],
    [spread, "", 'Unsupported value: "": supported values: "true", "false"'],
    [picker, "{", 'Invalid value: "{": must be JSON'],
    [picker, "7", 'Invalid value: "7": must be a pod picker'],
    [picker, "{}", "Required value: must specify one of: http, grpc"],
  ])("%s: %s", (name, value, sentence) => {
    expect(sentences({ [name]: value })).toEqual([`metadata.annotations[${name}]: ${sentence}`]);
  });

  test("with the path of the field, and what is unknown in it", () => {
    const value = JSON.stringify({ http: { host: "picker", port: 0, paht: "/" } });
    expect(sentences({ [picker]: value })).toEqual([
      `metadata.annotations[${picker}]: Forbidden: unknown field "http.paht"`,
      `metadata.annotations[${picker}].http.port: Invalid value: 0: must be between 1 and 65535, inclusive`,
    ]);
  });

  test("unless it is stored already", () => {
    expect(sentences({ [order]: "mine" }, { [order]: "mine" })).toEqual([]);
    expect(sentences({ [order]: "yours" }, { [order]: "mine" })).toHaveLength(1);
  });
});
