import { maxInt32 } from "../api/int-or-string.ts";
import { anyText, choice, type Members, integer, record } from "../api/documents/document-schema.ts";
import { readDocument } from "../api/documents/read-document.ts";
import { type FieldError, formatFieldError, invalid } from "../api/field-error.ts";
import { isJsonObject, type JsonObject } from "../api/json.ts";
import { dns1123LabelProblems, dns1123SubdomainProblems, type NameCheck } from "../api/names.ts";
import { parseJson } from "../api/parse-json.ts";
import type { PageAction, PickerQuestion } from "./contract.ts";

export type ReadAction =
  | { readonly ok: true; readonly action: PageAction }
  | { readonly ok: false; readonly problem: string };

const named = (description: string, problemsOf: NameCheck) =>
  anyText(description, {
    check: (name, path) => problemsOf(name).map((problem) => invalid(path, name, problem)),
  });

const scalable = ["Deployment", "ReplicaSet", "StatefulSet", "ReplicationController"];
const restartable = ["Deployment", "StatefulSet", "DaemonSet"];
const workload = {
  namespace: named("Its namespace.", dns1123LabelProblems),
  name: named("Its name.", dns1123SubdomainProblems),
};
const ofNode = { node: named("The name of a node.", dns1123SubdomainProblems) };
const ofZone = {
  zone: anyText("A zone.", {
    pattern: "^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$",
    errorMessage: "must be the value of a label",
  }),
};

const ofNodes = (given: JsonObject) => (Object.hasOwn(given, "node") ? ofNode : ofZone);

/** The fields of every action besides `action`, all of which have to be there; those of nodes have a node or a zone. */
const fieldsOf: Readonly<Record<PageAction["action"], Members | ((given: JsonObject) => Members)>> = {
  scale: {
    kind: choice("A kind of workload.", scalable),
    ...workload,
    replicas: integer("How many Pods it is to have.", [0, maxInt32]),
  },
  restart: { kind: choice("A kind of workload.", restartable), ...workload },
  cordon: ofNodes,
  uncordon: ofNodes,
  drain: ofNodes,
  fail: ofNodes,
  restore: ofNodes,
};

const actions = Object.keys(fieldsOf) as PageAction["action"][];
const anyAction = choice("What is done.", actions);

/** Reads the body of `/do`; anything but an action with exactly its fields is refused. */
export function readAction(text: string): ReadAction {
  const parsed = parseJson(text);
  if (!parsed.ok || !isJsonObject(parsed.value)) return noObject;
  const action = readDocument(anyAction, parsed.value["action"] ?? "", "action");
  if (!action.ok) return refused(action.errors);
  const own = fieldsOf[action.value];
  const fields: Members = { action: anyAction, ...(typeof own === "function" ? own(parsed.value) : own) };
  const read = readDocument(exactly("An action.", fields), parsed.value);
  // The schema has seen every field.
  return read.ok ? { ok: true, action: read.value as unknown as PageAction } : refused(read.errors);
}

const questionFields: Members = {
  kind: choice("A kind of workload.", ["Deployment", "ReplicaSet"]),
  ...workload,
  replicas: integer("How many Pods it is to have.", [0, maxInt32]),
};

export type ReadPickerQuestion =
  | { readonly ok: true; readonly question: PickerQuestion }
  | { readonly ok: false; readonly problem: string };

/** Reads the body of `/ask-pickers`. */
export function readPickerQuestion(text: string): ReadPickerQuestion {
  const parsed = parseJson(text);
  if (!parsed.ok || !isJsonObject(parsed.value)) return noObject;
  const read = readDocument(exactly("A question to pickers.", questionFields), parsed.value);
  return read.ok ? { ok: true, question: read.value as unknown as PickerQuestion } : refused(read.errors);
}

const exactly = (description: string, fields: Members) =>
  record(description, fields, { required: Object.keys(fields) });

const noObject = { ok: false, problem: "the body is no JSON object" } as const;

const refused = (errors: readonly FieldError[]) =>
  ({ ok: false, problem: errors.map(formatFieldError).join("; ") }) as const;
