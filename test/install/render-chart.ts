import { fileURLToPath } from "node:url";
import { parseAllDocuments } from "yaml";
import type { JsonObject } from "../../src/api/json.ts";
import { type ClientProgram, type Finished, runClient } from "../clients/client-process.ts";

/** The chart in deploy/helm. */
export const chart = fileURLToPath(new URL("../../deploy/helm/trimtab", import.meta.url));

/** A Helm that was built from its module does not know a version of Kubernetes by itself. */
const forKubernetes = ["--kube-version", "1.36.4"];

/** As far as manifests are looked at here. */
export interface Rendered extends JsonObject {
  readonly kind: string;
  readonly metadata: JsonObject & { readonly name: string; readonly annotations?: JsonObject };
}

/** What `helm template` prints for values, given as Helm's --set wants them. */
export const template = (helm: ClientProgram, values: readonly string[]): Promise<Finished> =>
  runClient(
    helm,
    "template",
    "release",
    chart,
    "--namespace=trimtab",
    ...forKubernetes,
    ...values.flatMap((value) => ["--set", value]),
  );

/** What `helm lint` says about the chart. */
export const lint = (helm: ClientProgram): Promise<Finished> =>
  runClient(
    helm,
    "lint",
    "--strict",
    chart,
    ...forKubernetes,
    "--set",
    "image=registry.example/trimtab:0.1.0",
  );

/** The objects in manifests, by kind and name. */
export function objectsIn(text: string): ReadonlyMap<string, Rendered> {
  const objects = parseAllDocuments(text)
    .map((document) => document.toJS() as Rendered | null)
    .filter((object) => object !== null);
  return new Map(objects.map((object) => [`${object.kind} ${object.metadata.name}`, object]));
}
