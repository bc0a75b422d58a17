import { anything, type DocumentSchema, record } from "../../api/documents/document-schema.ts";
import { featureGatesSchema } from "../../api/documents/feature-gates-schema.ts";
import { readDocument } from "../../api/documents/read-document.ts";
import { defaultFeatureGates, type FeatureGates, parseFeatureGates } from "../../api/feature-gates.ts";
import { type FieldError, invalid } from "../../api/field-error.ts";
import type { ClusterGates, GatedComponent } from "../cluster-options.ts";

/** The gates of one program: those that differ from the defaults, or a function that is called at every decision. */
export type GateChoice = Partial<FeatureGates> | (() => FeatureGates);

/** Feature gates of all components, and of single ones on top of those. */
export type EmbeddedGates = Readonly<Partial<Record<"all" | "apiServer" | GatedComponent, GateChoice>>>;

/** The schema of the gates of all components. */
export const embeddedGatesSchema: DocumentSchema<EmbeddedGates> = {
  ...record(
    "Feature gates by component.",
    {
      all: anything<GateChoice>("Of all components."),
      apiServer: anything<GateChoice>("Of the API server."),
      deployment: anything<GateChoice>("Of the Deployment controller."),
      replicaset: anything<GateChoice>("Of the ReplicaSet controller."),
      replicationmanager: anything<GateChoice>("Of the ReplicationController controller."),
      statefulset: anything<GateChoice>("Of the StatefulSet controller."),
      scheduler: anything<GateChoice>("Of the scheduler."),
    } satisfies Record<keyof EmbeddedGates, DocumentSchema>,
    { check: choiceErrors },
  ),
  errorMessage: "must be an object with components",
};

const choiceSchema = { ...featureGatesSchema, errorMessage: "must be an object with gates, or a function" };

/** Returns what is wrong with the choices that are not functions; those of a component override those of all. */
function choiceErrors(choices: Readonly<Record<string, unknown>>, path: string): readonly FieldError[] {
  const common = readDocument(choiceSchema, choices["all"] ?? {});
  const parsed = parseFeatureGates(gatesText(common.ok ? common.value : {}));
  const base = parsed.ok ? parsed.gates : defaultFeatureGates;
  return Object.entries(choices).flatMap(([component, choice]) => {
    if (typeof choice === "function") return [];
    const at = `${path}.${component}`;
    const read = readDocument(choiceSchema, choice, at);
    if (!read.ok) return read.errors;
    const chosen = parseFeatureGates(gatesText(read.value), component === "all" ? defaultFeatureGates : base);
    return chosen.ok ? [] : chosen.errors.map((error) => invalid(at, undefined, error));
  });
}

const gatesText = (choice: Partial<FeatureGates>): string =>
  Object.entries(choice)
    .map(([name, value]) => `${name}=${String(value)}`)
    .join();

/** Returns the gates as a cluster takes them; those of a component override those of all. */
export function clusterGates({ all = {}, apiServer, ...components }: EmbeddedGates) {
  const common = typeof all === "function" ? all : constant(all, defaultFeatureGates);
  const on = (choice: GateChoice | undefined): (() => FeatureGates) => {
    if (choice === undefined) return common;
    return typeof choice === "function" ? choice : constant(choice, common());
  };
  const own = Object.entries(components).map(([name, choice]) => [name, on(choice)] as const);
  return {
    apiServer: on(apiServer),
    controllers: common,
    components: Object.fromEntries(own),
  } satisfies ClusterGates;
}

function constant(choice: Partial<FeatureGates>, base: FeatureGates): () => FeatureGates {
  const parsed = parseFeatureGates(gatesText(choice), base);
  const gates = parsed.ok ? parsed.gates : base; // invalid gates were refused before
  return () => gates;
}
