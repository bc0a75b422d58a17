import { isJsonObject, type Json, type JsonObject } from "../../../../api/json.ts";
import { parseJson } from "../../../../api/parse-json.ts";
import { checkConverted } from "./check-converted.ts";

// The protocol of conversion webhooks: what is sent, and what an answer has to be.

const group = "apiextensions.k8s.io";
/** The versions of ConversionReviews that this server speaks. */
const reviewVersions: ReadonlySet<string> = new Set(["v1", "v1beta1"]);
/** Limits the values of an answer, whose bytes the transport limits. */
const mostValues = 1_000_000;

/** A ConversionReview that is sent. */
export interface SentReview {
  readonly uid: string;
  /** `v1` or `v1beta1`. */
  readonly reviewVersion: string;
  /** The `apiVersion` that the object is wanted in. */
  readonly desired: string;
  readonly object: JsonObject;
}

/** The converted object, or why there is none, as a whole sentence. */
export type ConversionResult =
  | { readonly ok: true; readonly object: JsonObject }
  | { readonly ok: false; readonly why: string };

/** Returns the first version of reviews that a definition names and this server speaks. */
export function reviewVersionOf(versions: readonly string[]): string | undefined {
  return versions.find((version) => reviewVersions.has(version));
}

/** Returns the text of a review. */
export function reviewText({ uid, reviewVersion, desired, object }: SentReview): string {
  return JSON.stringify({
    kind: "ConversionReview",
    apiVersion: `${group}/${reviewVersion}`,
    request: { uid, desiredAPIVersion: desired, objects: [object] },
  });
}

/** Reads the answer to a review, and checks the object in it. */
export function readConversion(sent: SentReview, text: string): ConversionResult {
  const of = kindText(sent.object);
  const failed = (why: string): ConversionResult => ({ ok: false, why: conversionFailed(sent.object, why) });
  const parsed = parseJson(text, { valueLimit: mostValues });
  if (!parsed.ok) return failed(parsed.error);
  const objects = convertedObjects(sent, parsed.value);
  if (typeof objects === "string") return failed(objects);
  const [object] = objects;
  if (objects.length !== 1)
    return {
      ok: false,
      why: `conversion webhook for ${of} returned ${objects.length} objects, expected 1`,
    };
  const checked = checkConverted(sent, object ?? null);
  return checked.ok ? checked : { ok: false, why: `conversion webhook for ${of} returned ${checked.why}` };
}

/** Says that an object could not be converted at all. */
export function conversionFailed(object: JsonObject, why: string): string {
  return `conversion webhook for ${kindText(object)} failed: ${why}`;
}

/** Returns the objects of a response, or why there are none. */
function convertedObjects(sent: SentReview, value: Json): readonly Json[] | string {
  const review = isJsonObject(value) ? value : {};
  const { response } = review;
  const got = kindText(review);
  const wanted = `${group}/v1, Kind=ConversionReview`;
  const isNewest = sent.reviewVersion === "v1";
  if (isNewest && got !== wanted) return `expected webhook response of ${wanted}, got ${got}`;
  if (!isJsonObject(response)) return "no response provided";
  const problem = (isNewest ? uidProblem(sent, response) : undefined) ?? resultProblem(response["result"]);
  if (problem !== undefined) return problem;
  const objects = response["convertedObjects"] ?? [];
  return Array.isArray(objects) ? (objects as readonly Json[]) : "response.convertedObjects is not a list";
}

function uidProblem({ uid }: SentReview, response: JsonObject): string | undefined {
  const answered = textIn(response, "uid");
  return answered === uid
    ? undefined
    : `expected response.uid=${JSON.stringify(uid)}, got ${JSON.stringify(answered)}`;
}

function resultProblem(result: Json | undefined): string | undefined {
  const { status = "", message = "" } = isJsonObject(result) ? result : {};
  if (status === "Success") return undefined;
  if (typeof message === "string" && message !== "") return message;
  return `response.result.status was '${typeof status === "string" ? status : ""}', not 'Success'`;
}

/** Returns `group/version, Kind=Kind`, as upstream prints it. */
function kindText(object: JsonObject): string {
  const apiVersion = textIn(object, "apiVersion");
  return `${apiVersion.includes("/") ? apiVersion : `/${apiVersion}`}, Kind=${textIn(object, "kind")}`;
}

function textIn(object: JsonObject, name: string): string {
  const value = object[name];
  return typeof value === "string" ? value : "";
}
