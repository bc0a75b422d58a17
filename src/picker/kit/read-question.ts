import { parseJson } from "../../api/parse-json.ts";
import { refused, type Refused } from "./answer-questions.ts";
import type { PickQuestion } from "./pick-request.ts";

/** The largest question: more than the names of ten thousand Pods. */
export const maxQuestionBytes = 4 * 1024 * 1024;

/** Whose Pods they are, as the headers `Trimtab-Namespace` and `Trimtab-Workload` or the same metadata say. */
export function workloadFrom(
  header: (name: string) => string | undefined,
): Pick<PickQuestion, "namespace" | "workload"> {
  const [kind = "", name = "", ...rest] = (header("trimtab-workload") ?? "").split("/");
  const isNamed = kind !== "" && name !== "" && rest.length === 0;
  return { namespace: header("trimtab-namespace"), workload: isNamed ? { kind, name } : undefined };
}

/** Reads the body of a question over HTTP. */
export function parseQuestion(
  bytes: Uint8Array,
  workload: Pick<PickQuestion, "namespace" | "workload">,
): { readonly kind: "question"; readonly question: PickQuestion } | Refused {
  const text = decodeUtf8(bytes);
  if (text === undefined) return refused("bad_request", "the body is not UTF-8");
  const parsed = parseJson(text);
  if (!parsed.ok) return refused("bad_request", `the body is not a question: ${parsed.error}`);
  const { value } = parsed;
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return refused("bad_request", "the body is not a JSON object");
  const members = new Map<string, unknown>(Object.entries(value));
  return checkedQuestion(
    { requested: members.get("number_of_pods_requested"), candidates: members.get("candidate_pods") },
    workload,
  );
}

/** A question as the contract has it, in either protocol; what else the caller sent is ignored. */
export function checkedQuestion(
  { requested, candidates }: { readonly requested: unknown; readonly candidates: unknown },
  workload: Pick<PickQuestion, "namespace" | "workload">,
): { readonly kind: "question"; readonly question: PickQuestion } | Refused {
  if (typeof requested !== "number" || !Number.isInteger(requested) || requested < 1)
    return refused("bad_request", "number_of_pods_requested must be a whole number of at least 1");
  if (!Array.isArray(candidates) || !candidates.every((name) => typeof name === "string"))
    return refused("bad_request", "candidate_pods must be a list of names");
  return { kind: "question", question: { requested, candidates, ...workload } };
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined; // TextDecoder has one error: the bytes are not UTF-8
  }
}
