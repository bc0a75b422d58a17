import { nearestName } from "../../api/nearest-name.ts";
import { type KindFacts, schemaTable } from "../../api/schema/table.ts";

/** An object that a scenario names as kubectl does. */
export interface NamedObject {
  readonly resource: KindFacts;
  readonly name: string;
}

/** Finds the object of `deployment/web`, `deploy/web` or `deployments.apps/web`; a sentence where there is no such kind. */
export function findObject(text: string): NamedObject | string {
  const [typed = "", name = ""] = text.split("/");
  const wanted = typed.toLowerCase();
  const { kinds } = schemaTable();
  const resource = kinds.find((kind) => namesOf(kind).includes(wanted));
  if (resource !== undefined) return { resource, name };
  const meant = nearestName(wanted, kinds.flatMap(namesOf));
  const hint = meant === undefined ? "" : `; did you mean ${meant}/${name}?`;
  return `there is no kind ${typed}${hint}`;
}

function namesOf({ group, kind, plural, singular, shortNames = [] }: KindFacts): readonly string[] {
  const names = [plural, singular, kind.toLowerCase(), ...shortNames];
  return group === "" ? names : [...names, `${plural}.${group}`, `${kind.toLowerCase()}.${group}`];
}

/** The workloads whose Pods and progress are followed: those that have a controller in a simulated cluster. */
export const workloadKinds: readonly string[] = [
  "Deployment",
  "ReplicaSet",
  "ReplicationController",
  "StatefulSet",
  "DaemonSet",
  "Job",
];
