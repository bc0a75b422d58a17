import { isJsonObject, type Json } from "../../../api/json.ts";
import { parseJson } from "../../../api/parse-json.ts";
import { trimRight } from "../../../api/trim-right.ts";
import { isAddressAllowed } from "../../addresses/address-policy.ts";
import { networkOf } from "../../addresses/address-faces.ts";
import { addressesOf, type Lookup } from "../../addresses/lookup.ts";
import { requestText } from "../bounded-request.ts";
import { fillQuery } from "../configuration/query-template.ts";
import type { PrometheusSource } from "../configuration/score-schemas.ts";
import { readCredentials } from "../credential-files.ts";
import {
  type PodNumber,
  type Reading,
  type ReadSource,
  readingOf,
  type SourceFailure,
  type SourceQuestion,
  unreadable,
} from "./source.ts";

/** Ten thousand series with a dozen labels each. */
const maxBytes = 8 * 1024 * 1024;
const mostValues = 1_000_000;

/** The operator names the server in a file of its own, so that it may be anywhere but where nothing may be. */
const anywhere = {
  loopback: true,
  allowed: { hosts: new Set<string>(), networks: ["0.0.0.0/0", "::/0"].map(networkOf) },
};

/** Reads the numbers of all Pods by one instant query. */
export function prometheusSource(source: PrometheusSource, lookup: Lookup): ReadSource {
  return async (question) => {
    const found = await findServer(source.url, lookup, question.signal);
    if (!found.ok) return unreadable(question, found.failure);
    const credentials = readCredentials(source);
    if (!credentials.ok) return unreadable(question, credentials.failure);
    const { namespace, workload, pods, signal } = question;
    const query = fillQuery(source.query, { namespace, workload: workload.name, pods });
    const answer = await requestText({
      url: found.url,
      dial: found.dial,
      tls: credentials.tls,
      headers: { "content-type": "application/x-www-form-urlencoded", ...credentials.headers },
      body: new URLSearchParams({ query }).toString(),
      maxBytes,
      signal,
    });
    if (!answer.ok) return unreadable(question, answer.failure);
    return readVector(answer.text, source.podLabel ?? "pod", question);
  };
}

type FoundServer =
  | {
      readonly ok: true;
      readonly url: URL;
      readonly dial: { readonly address: string; readonly port: number };
    }
  | { readonly ok: false; readonly failure: SourceFailure };

async function findServer(base: string, lookup: Lookup, signal: AbortSignal): Promise<FoundServer> {
  const url = new URL(`${trimRight(base, "/")}/api/v1/query`);
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  // Converts the exceptions of the resolver.
  const addresses = await addressesOf({ host, signal }, lookup).catch(() => []);
  const [address] = addresses;
  if (address === undefined)
    return { ok: false, failure: { class: signal.aborted ? "Timeout" : "HostUnresolved" } };
  if (!addresses.every((each) => isAddressAllowed(each, host, anywhere)))
    return { ok: false, failure: { class: "AddressNotAllowed" } };
  const port = Number(url.port) || (url.protocol === "https:" ? 443 : 80);
  return { ok: true, url, dial: { address, port } };
}

/** Reads the answer to an instant query; series of other Pods are left out. */
export function readVector(text: string, podLabel: string, question: SourceQuestion): Reading {
  const parsed = parseJson(text, { valueLimit: mostValues });
  if (!parsed.ok) return unreadable(question, { class: "Malformed", detail: "it is not JSON" });
  const data = isJsonObject(parsed.value) ? parsed.value["data"] : undefined;
  const { resultType, result } = isJsonObject(data) ? data : {};
  if (resultType !== "vector" || !Array.isArray(result))
    return unreadable(question, { class: "Malformed", detail: "it is not an instant vector" });
  const wanted = new Set(question.pods);
  const numbers = new Map<string, PodNumber>();
  for (const series of result as readonly Json[]) {
    const found = readSeries(series, podLabel, question.namespace);
    if (found === undefined || !wanted.has(found.pod)) continue;
    const isSecond = numbers.has(found.pod);
    const problem = `several series of one Pod: add them up with sum by (${podLabel})`;
    numbers.set(found.pod, isSecond ? { class: "Ambiguous", detail: problem } : found.number);
  }
  return readingOf(numbers);
}

/** The Pod of a series and its number; `undefined` for a series without a Pod, or of a Pod in another namespace. */
function readSeries(
  series: Json,
  podLabel: string,
  namespace: string,
): { readonly pod: string; readonly number: PodNumber } | undefined {
  const { metric, value } = isJsonObject(series) ? series : {};
  const labels = isJsonObject(metric) ? metric : {};
  const pod = labels[podLabel];
  const own = labels["namespace"];
  if (typeof pod !== "string" || (own !== undefined && own !== namespace)) return undefined;
  const text = Array.isArray(value) ? (value as readonly Json[])[1] : undefined;
  return { pod, number: typeof text === "string" ? numberIn(text) : { class: "Malformed" } };
}

function numberIn(text: string): number {
  if (text === "+Inf") return Infinity;
  if (text === "-Inf") return -Infinity;
  return text.trim() === "" ? Number.NaN : Number(text);
}
