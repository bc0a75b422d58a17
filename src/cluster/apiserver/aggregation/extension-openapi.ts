import { isJsonObject, type Json, type JsonObject } from "../../../api/json.ts";
import type { Clock } from "../../../machinery/clock/clock.ts";
import { runInSteps } from "../../../machinery/clock/run-in-steps.ts";
import { encodedSwaggerSteps, swaggerTextSteps } from "../openapi/swagger-steps.ts";
import { contentHash } from "../discovery/content-hash.ts";
import type { AggregatedApi } from "./aggregated-api.ts";
import { askAsAggregator, jsonOf } from "./ask-extension.ts";
import type { ExtensionTransport } from "./extension-transport.ts";

/** What an extension API server says in OpenAPI about its version of a group. */
export interface ExtensionDocument {
  readonly group: string;
  readonly version: string;
  /** Where it was; it changes with the content. */
  readonly source: string;
  readonly body: string;
  readonly hash: string;
}

/** No document that is written by hand or by a program is as deep; one that is could end who reads it. */
const deepest = 100;

interface Question {
  readonly transport: ExtensionTransport;
  readonly clock: Clock;
  readonly api: AggregatedApi;
  /** What was known before. */
  readonly known: ExtensionDocument | undefined;
  readonly signal: AbortSignal;
}

/**
 * Asks an extension API server for the OpenAPI document of its version, unless it is still where it was. Returns what was
 * known if there is none that can be read: that no document comes says nothing about the API.
 */
export async function extensionOpenApi(question: Question): Promise<ExtensionDocument | undefined> {
  const { api, known, clock } = question;
  const { group, version } = api;
  const source = sourceIn(await read(question, "/openapi/v3"), `apis/${group}/${version}`);
  if (source === undefined || source === known?.source) return known;
  const value = await read(question, source);
  if (!isJsonObject(value) || !isShallow(value, deepest)) return known;
  const { openapi, info, components } = value;
  const document = { openapi: openapi ?? "3.0.0", info: info ?? {}, paths: ownPaths(value, api), components };
  const body = JSON.stringify(document);
  // As others will read it: what has no value is not in it.
  if (!(await isConvertible(JSON.parse(body) as JsonObject, clock))) return known;
  return { group, version, source, body, hash: contentHash(body) };
}

async function read({ transport, api, signal }: Question, path: string): Promise<unknown> {
  const reply = await askAsAggregator(transport, api, { path, signal });
  if (!reply.ok) return undefined;
  if (reply.code !== 200) {
    reply.body.destroy();
    return undefined;
  }
  const found = await jsonOf(reply);
  return found.ok ? found.value : undefined;
}

/** Returns where the index has the document of a version: a path of the same server. */
function sourceIn(index: unknown, path: string): string | undefined {
  const paths = isJsonObject(index) ? index["paths"] : undefined;
  const entry = isJsonObject(paths) ? paths[path] : undefined;
  const url = isJsonObject(entry) ? entry["serverRelativeURL"] : undefined;
  return typeof url === "string" && url.startsWith("/openapi/v3/") ? url : undefined;
}

/** Returns the paths of a document that belong to the version, so that no server describes the API of another one. */
function ownPaths({ paths }: JsonObject, { group, version }: AggregatedApi): JsonObject {
  const root = `/apis/${group}/${version}/`;
  const own = Object.entries(isJsonObject(paths) ? paths : {}).filter(([path]) =>
    `${path}/`.startsWith(root),
  );
  return Object.fromEntries(own);
}

/** Reports whether our documents of all groups can be made with a document in them, whatever it says. */
async function isConvertible(document: JsonObject, clock: Clock): Promise<boolean> {
  try {
    await runInSteps(swaggerTextSteps([document]), clock);
    await runInSteps(encodedSwaggerSteps([document]), clock);
    return true;
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) return false;
    throw error;
  }
}

function isShallow(value: Json | undefined, levels: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  return levels > 0 && Object.values(value).every((member) => isShallow(member, levels - 1));
}
