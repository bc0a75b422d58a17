import { parseDuration } from "../../../api/duration.ts";
import {
  apiType,
  choice,
  type DocumentOf,
  duration,
  either,
  exactlyOneOf,
  integer,
  list,
  number,
  record,
  text,
  trimtabHead,
} from "../../../api/documents/document-schema.ts";
import { repeatedNames } from "../../../api/field-checks.ts";
import { type FieldError, invalid } from "../../../api/field-error.ts";
import type { LabelSelector } from "../../../api/generated/meta-v1.ts";
import { validateLabelSelector } from "../../../api/labels/compile-label-selector.ts";
import { dns1123LabelProblems, dns1123SubdomainProblems, type NameCheck } from "../../../api/names.ts";
import { parseProtectRule } from "./protect-rule.ts";
import { scoreSchema } from "./score-schemas.ts";

export const pickerConfigurationKind = "PickerConfiguration";

const named = (description: string, problemsOf: NameCheck = dns1123LabelProblems) =>
  text(description, {
    check: (name, path) => problemsOf(name).map((problem) => invalid(path, name, problem)),
  });

const workload = record(
  "The workload by its name.",
  {
    namespace: named("Its namespace."),
    kind: text("Its kind; `Deployment` unless said otherwise.", {
      pattern: "^[A-Z][A-Za-z0-9]*$",
      errorMessage: "must be a kind, such as Deployment or ReplicaSet",
    }),
    name: named("Its name.", dns1123SubdomainProblems),
  },
  { required: ["namespace", "name"] },
);

/** The longest time that a picker may be given. */
const longestTimeoutMs = 30_000;

const timeout = {
  ...duration(
    "How long the source may take; 700ms unless said otherwise. Pods without an answer until then have none.",
  ),
  check: (value: unknown, path: string): readonly FieldError[] => {
    const timeoutMs = parseDuration(String(value));
    return timeoutMs !== undefined && timeoutMs >= 1 && timeoutMs <= longestTimeoutMs
      ? []
      : [invalid(path, value, "must be a duration from 1ms to 30s")];
  },
};

const picker = record(
  "How the Pods of one workload, or of some, are chosen.",
  {
    name: named("What logs, metrics and events call it."),
    workload,
    selector: apiType<LabelSelector>(
      "The Deployments and ReplicaSets with these labels, in all namespaces unless `namespaces` says otherwise.",
      "meta.v1.LabelSelector",
      { check: (selector, path) => validateLabelSelector(selector as LabelSelector, path) },
    ),
    namespaces: list("The namespaces in which `selector` selects.", named("A namespace."), { minItems: 1 }),
    score: scoreSchema,
    missing: either(
      "What a Pod without a number counts as; 0 unless said otherwise. `first`: it goes before all others; `last`: after all.",
      "must be a number, first or last",
      [number("A number."), choice("A word.", ["first", "last"])],
    ),
    protect: text("The Pods that may not go now, as a comparison with their number: `> 0`.", {
      check: (rule, path) =>
        parseProtectRule(rule) === undefined
          ? [invalid(path, rule, "must be a comparison with a number, such as > 0, >= 1 or == 1")]
          : [],
    }),
    onError: choice(
      "Whether Pods whose number cannot be read are protected; `ignore` unless said otherwise: they are not.",
      ["protect", "ignore"],
    ),
    timeout,
  },
  {
    required: ["name", "score"],
    ...exactlyOneOf(["workload", "selector"]),
    check: ({ namespaces, workload, protect, onError }, path) => [
      ...(namespaces !== undefined && workload !== undefined
        ? [invalid(`${path}.namespaces`, namespaces, "belongs to selector: workload has a namespace")]
        : []),
      ...(onError === "protect" && protect === undefined
        ? [invalid(`${path}.onError`, onError, "needs protect, which says whom to protect otherwise")]
        : []),
    ],
  },
);

const serving = record("Where questions are answered, and who may ask.", {
  host: text("The address to listen at; all of the machine unless said otherwise."),
  port: integer(
    "The port of HTTP and gRPC; 8080 unless said otherwise, 8443 with TLS. 0: any free port.",
    [0, 65_535],
  ),
  tokenFile: text(
    "The file of the token that callers show: `Authorization: Bearer TOKEN`. It is read for every question.",
  ),
  tls: record(
    "The files of a certificate, which are read again when they change.",
    {
      certificateFile: text("The certificate (PEM)."),
      keyFile: text("Its key (PEM)."),
      clientCaFile: text("Callers need a certificate that one of these CAs has signed."),
    },
    { required: ["certificateFile", "keyFile"] },
  ),
});

/** The schema of a PickerConfiguration. */
export const pickerConfigurationSchema = record(
  "The settings of `trimtab picker serve`.",
  {
    ...trimtabHead(pickerConfigurationKind),
    serving,
    pickers: list("The first that is meant counts.", picker, { minItems: 1, check: repeatedNames }),
  },
  {
    $id: "https://trimtab.dev/schemas/picker-configuration-v1alpha1.json",
    title: "Trimtab picker configuration",
    required: ["apiVersion", "kind", "pickers"],
  },
);

/** A PickerConfiguration as its file has it. */
export type PickerConfiguration = DocumentOf<typeof pickerConfigurationSchema>;
export type PickerDocument = PickerConfiguration["pickers"][number];
