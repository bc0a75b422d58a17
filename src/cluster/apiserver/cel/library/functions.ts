import { arithmeticFunctions } from "./arithmetic.ts";
import { authorizationFunctions } from "./authorizations.ts";
import { comparisonFunctions } from "./comparisons.ts";
import { conversionFunctions } from "./conversions.ts";
import { mapInsertFunctions } from "./map-inserts.ts";
import { logicFunctions } from "./logic.ts";
import { optionalFunctions } from "./optionals.ts";
import { formatFunctions } from "./formats.ts";
import { listFunctions } from "./lists.ts";
import { networkFunctions } from "./networks.ts";
import { quantityFunctions } from "./quantities.ts";
import { regexFunctions } from "./regexes.ts";
import { semverFunctions } from "./semvers.ts";
import { setFunctions } from "./sets.ts";
import { stringFunctions } from "./strings.ts";
import { urlFunctions } from "./urls.ts";
import type { CelFunction, Overload } from "./overload.ts";
import { textFunctions } from "./texts.ts";
import { timeFunctions } from "./times.ts";

/** Every function and operator, by its name. A name that several libraries use has the overloads of all. */
export const functions: ReadonlyMap<string, readonly Overload[]> = merged([
  ...logicFunctions,
  ...comparisonFunctions,
  ...arithmeticFunctions,
  ...conversionFunctions,
  ...textFunctions,
  ...timeFunctions,
  ...optionalFunctions,
  ...mapInsertFunctions,
  ...formatFunctions,
  ...listFunctions,
  ...networkFunctions,
  ...quantityFunctions,
  ...regexFunctions,
  ...semverFunctions,
  ...setFunctions,
  ...stringFunctions,
  ...urlFunctions,
  ...authorizationFunctions,
]);

function merged(all: readonly CelFunction[]): ReadonlyMap<string, readonly Overload[]> {
  const byName = new Map<string, readonly Overload[]>();
  for (const { name, overloads } of all) byName.set(name, [...(byName.get(name) ?? []), ...overloads]);
  return byName;
}
