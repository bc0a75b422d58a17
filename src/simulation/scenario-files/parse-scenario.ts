import { joinErrors, readParts } from "../../api/documents/read-document.ts";
import { defaultFeatureGates, type FeatureGates, parseFeatureGates } from "../../api/feature-gates.ts";
import { type FieldError, forbidden, invalid } from "../../api/field-error.ts";
import { isJsonObject, type Json, type JsonObject } from "../../api/json.ts";
import {
  type LocatedYaml,
  parseLocatedDocuments,
  parseLocatedYaml,
} from "../../machinery/yaml/located-yaml.ts";
import { schedulerConfigOf } from "../../scheduler/configuration/parse-scheduler-config.ts";
import { readSimulableSnapshot } from "../snapshot/read-snapshot.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { checkLoad } from "./check-load.ts";
import { checkManifest } from "./check-manifest.ts";
import { checkReferences } from "./check-references.ts";
import { checkTimes } from "./check-times.ts";
import type { ScenarioDocument } from "./scenario-document.ts";
import { folderName, type ScenarioFiles, stemOf } from "./scenario-files.ts";
import { scenarioKind, scenarioSchema } from "./scenario-schema.ts";

export type ReadScenario =
  | { readonly ok: true; readonly scenario: ScenarioDocument }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Reads a scenario file; all its mistakes are named at once, each with line and column and what was expected. */
export function readScenarioIn(files: ScenarioFiles, file: string): ReadScenario {
  const found = files.read(file);
  if (!found.ok) return { ok: false, problems: [`${file}: ${found.reason}`] };
  const parsed = parseLocatedYaml({ file, text: found.text, kind: scenarioKind });
  if (!parsed.ok) return parsed;
  return readContent(parsed.document, file, files);
}

function readContent({ content, format }: LocatedYaml, file: string, files: ScenarioFiles): ReadScenario {
  const { rest, errors: mistyped } = readParts(scenarioSchema, content);
  const broken = brokenParts(mistyped);
  const usable = withoutMistakes(rest, broken);
  const gates = gatesIn(usable);
  const inFiles = manifestsIn(usable, gates.gates, { file, files });
  const own = { ...usable, manifests: listOf(usable["manifests"]) };
  const { snapshot, problems: snapshotProblems } = snapshotIn(usable, file, files);
  const scenario = {
    name: nameOf(file),
    ...own,
    snapshot,
    manifests: [...own.manifests, ...inFiles.manifests],
  } as unknown as ScenarioDocument;
  const others = [
    ...gates.errors,
    ...clusterErrors(usable, gates.gates),
    ...own.manifests.flatMap((each, index) => checkManifest(each, `manifests[${index}]`, gates.gates).errors),
    ...appliedErrors(usable, gates.gates),
    ...checkTimes(scenario),
    ...checkReferences(scenario),
    ...checkLoad(scenario),
  ].filter(({ field }) => !broken.has(partOf(field)) || partOf(field) === field);
  const errors = joinErrors(mistyped, others);
  const problems = [...format(errors), ...inFiles.problems, ...snapshotProblems];
  return problems.length > 0 ? { ok: false, problems } : { ok: true, scenario };
}

/** The top-level members and items of lists that the schema refuses something in. */
function brokenParts(errors: readonly FieldError[]): ReadonlySet<string> {
  return new Set(errors.map(({ field }) => partOf(field)));
}

function partOf(field: string): string {
  return /^[^.[]*(\[\d+\])?/.exec(field)?.[0] ?? "";
}

/** The document without what the schema refuses, so that the rest can still be checked. */
function withoutMistakes(content: JsonObject, broken: ReadonlySet<string>): JsonObject {
  const usable: Record<string, Json> = {};
  for (const [name, value] of Object.entries(content)) {
    if (broken.has(name) || value === undefined) continue;
    // A wrong item keeps its index, as an empty object.
    usable[name] = Array.isArray(value)
      ? (value as readonly Json[]).map((item, index) => (broken.has(`${name}[${index}]`) ? {} : item))
      : value;
  }
  return usable;
}

function listOf(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? (value as readonly unknown[]).filter(isJsonObject) : [];
}

function gatesIn(content: JsonObject): {
  readonly gates: FeatureGates;
  readonly errors: readonly FieldError[];
} {
  const given = isJsonObject(content["featureGates"]) ? content["featureGates"] : {};
  const text = Object.entries(given).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  const parsed = parseFeatureGates(text.join(","));
  if (parsed.ok) return { gates: parsed.gates, errors: [] };
  const errors = parsed.errors.map((error) => invalid("featureGates", undefined, error));
  return { gates: defaultFeatureGates, errors };
}

function clusterErrors(content: JsonObject, gates: FeatureGates): readonly FieldError[] {
  const { scheduler, snapshot } = content;
  const own = snapshot === undefined ? [] : ["nodes", "zones"].filter((name) => content[name] !== undefined);
  const doubled = own.map((name) =>
    forbidden(name, "may not be there together with snapshot, which has nodes"),
  );
  if (!isJsonObject(scheduler)) return doubled;
  const parsed = schedulerConfigOf(scheduler, { gates });
  const wrong = parsed.ok
    ? []
    : parsed.errors.map((error) => ({ ...error, field: `scheduler.${error.field}` }));
  return [...doubled, ...wrong];
}

function appliedErrors(content: JsonObject, gates: FeatureGates): readonly FieldError[] {
  return listOf(content["events"]).flatMap((event, index) =>
    listOf(event["apply"]).flatMap(
      (manifest, at) => checkManifest(manifest, `events[${index}].apply[${at}]`, gates).errors,
    ),
  );
}

interface ReadSnapshotFile {
  readonly snapshot?: Snapshot;
  readonly problems: readonly string[];
}

function snapshotIn(content: JsonObject, file: string, files: ScenarioFiles): ReadSnapshotFile {
  const name = content["snapshot"];
  if (typeof name !== "string") return { problems: [] };
  const parsed = readSimulableSnapshot(files.beside(file, name), files.read);
  return parsed.ok ? { snapshot: parsed.snapshot, problems: [] } : { problems: parsed.problems };
}

interface FileManifests {
  readonly manifests: readonly JsonObject[];
  readonly problems: readonly string[];
}

/** A file, and what reads files. */
interface Source {
  readonly file: string;
  readonly files: ScenarioFiles;
}

/** The manifests of other files, which are named relative to the scenario. */
function manifestsIn(content: JsonObject, gates: FeatureGates, { file, files }: Source): FileManifests {
  const names = Array.isArray(content["manifestFiles"])
    ? (content["manifestFiles"] as readonly unknown[])
    : [];
  const found = names
    .filter((name) => typeof name === "string")
    .map((name) => manifestFile(gates, { file: files.beside(file, name), files }));
  return {
    manifests: found.flatMap(({ manifests }) => manifests),
    problems: found.flatMap(({ problems }) => problems),
  };
}

function manifestFile(gates: FeatureGates, { file, files }: Source): FileManifests {
  const found = files.read(file);
  if (!found.ok) return { manifests: [], problems: [`${file}: ${found.reason}`] };
  const parsed = parseLocatedDocuments({ file, text: found.text, kind: "a Kubernetes kind" });
  if (!parsed.ok) return { manifests: [], problems: parsed.problems };
  const results = parsed.documents.map(({ content, format }) => {
    const wrapped = checkManifest(content, "manifest", gates);
    const errors = wrapped.errors.map((error) => ({
      ...error,
      field: error.field.replace(/^manifest\.?/, ""),
    }));
    return { manifests: [content], problems: format(errors) };
  });
  return {
    manifests: results.flatMap(({ manifests }) => manifests),
    problems: results.flatMap(({ problems }) => problems),
  };
}

/** A file `scenario.yaml` is called after its folder, any other after itself. */
function nameOf(file: string): string {
  const stem = stemOf(file);
  return stem === "scenario" && folderName(file) !== "" ? folderName(file) : stem;
}
