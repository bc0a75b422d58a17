import { isJsonObject, type JsonObject } from "../api/json.ts";
import { dns1123LabelProblems, dns1123SubdomainProblems, type NameCheck } from "../api/names.ts";
import { parseJson } from "../api/parse-json.ts";
import type { PageAction } from "./contract.ts";

export type ReadAction =
  | { readonly ok: true; readonly action: PageAction }
  | { readonly ok: false; readonly problem: string };

/** A check of one field; returns what is wrong with it. */
type FieldCheck = (value: unknown) => string | undefined;
type FieldChecks = Readonly<Record<string, FieldCheck>>;

const named =
  (problemsOf: NameCheck): FieldCheck =>
  (value) =>
    typeof value === "string" ? problemsOf(value)[0] : "must be a text";

const oneOf =
  (...choices: readonly string[]): FieldCheck =>
  (value) =>
    typeof value === "string" && choices.includes(value) ? undefined : `must be one of ${choices.join(", ")}`;

const zoneSyntax = /^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;
const mostReplicas = 2 ** 31 - 1;

const zone: FieldCheck = (value) =>
  typeof value === "string" && zoneSyntax.test(value) ? undefined : "must be the value of a label";
const replicas: FieldCheck = (value) =>
  typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= mostReplicas
    ? undefined
    : `must be a whole number from 0 to ${mostReplicas}`;

const workload = { namespace: named(dns1123LabelProblems), name: named(dns1123SubdomainProblems) };
const ofNode: FieldChecks = { node: named(dns1123SubdomainProblems) };
const ofZone: FieldChecks = { zone };
const ofNodes = (given: JsonObject) => (Object.hasOwn(given, "node") ? ofNode : ofZone);

/** The fields of every action besides `action`; those of nodes have a node or a zone. */
const fieldsOf: Readonly<Record<PageAction["action"], FieldChecks | ((given: JsonObject) => FieldChecks)>> = {
  scale: {
    kind: oneOf("Deployment", "ReplicaSet", "StatefulSet", "ReplicationController"),
    ...workload,
    replicas,
  },
  restart: { kind: oneOf("Deployment"), ...workload },
  cordon: ofNodes,
  uncordon: ofNodes,
  drain: ofNodes,
  fail: ofNodes,
  restore: ofNodes,
};

/** Reads the body of `/do`; anything but an action with exactly its fields is refused. */
export function readAction(text: string): ReadAction {
  const parsed = parseJson(text);
  if (!parsed.ok || !isJsonObject(parsed.value)) return problem("the body is no JSON object");
  const { action: name, ...given } = parsed.value;
  if (typeof name !== "string" || !Object.hasOwn(fieldsOf, name))
    return problem(`action must be one of ${Object.keys(fieldsOf).join(", ")}`);
  const fields = fieldsOf[name as PageAction["action"]];
  const wrong = firstProblem(given, typeof fields === "function" ? fields(given) : fields);
  // The checks have seen every field.
  return wrong === undefined ? { ok: true, action: parsed.value as unknown as PageAction } : problem(wrong);
}

const problem = (text: string): ReadAction => ({ ok: false, problem: text });

function firstProblem(given: JsonObject, checks: FieldChecks): string | undefined {
  const unknown = Object.keys(given).find((field) => !Object.hasOwn(checks, field));
  if (unknown !== undefined) return `unknown field ${JSON.stringify(unknown)}`;
  for (const [field, check] of Object.entries(checks)) {
    const wrong = check(given[field]);
    if (wrong !== undefined) return `${field} ${wrong}`;
  }
  return undefined;
}
