import { defaultFeatureGates, type FeatureGate, type FeatureGates } from "../feature-gates.ts";
import { type DocumentSchema, flag, record } from "./document-schema.ts";

const names = Object.keys(defaultFeatureGates) as FeatureGate[];
const gates = Object.fromEntries(
  names.map((name) => [name, { ...flag("Whether it is on."), errorMessage: "must be true or false" }]),
) as Record<FeatureGate, DocumentSchema<boolean>>;

/** Feature gates that differ from their defaults. */
export const featureGatesSchema: DocumentSchema<Partial<FeatureGates>> = record(
  `Feature gates: ${names.join(", ")}. Those that are not named have their defaults.`,
  gates,
);
