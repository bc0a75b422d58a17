import type {
  CertificateSigningRequest,
  CertificateSigningRequestCondition,
} from "../../../../api/generated/certificates-v1.ts";
import { base64Bytes } from "../../../../api/base64.ts";
import { each, type FieldErrors, none, requiredOneOf, requiredText } from "../../../../api/field-checks.ts";
import { duplicate, forbidden, invalid } from "../../../../api/field-error.ts";
import type { Sent } from "../../../../api/sent.ts";
import { formatTime, type Instant } from "../../../../api/time.ts";
import { elementsOf, type PemBlock, pemBlocks } from "../../../../machinery/certificates/read-pem.ts";
import type { ObjectUpdate } from "../kind-strategy.ts";

type Request = Sent<CertificateSigningRequest>;
type Condition = Sent<CertificateSigningRequestCondition>;

/** Those that `/approval` writes. */
const decisions: readonly string[] = ["Approved", "Denied"];
/** Those that are never taken back, nor False. */
const lasting: ReadonlySet<string> = new Set([...decisions, "Failed"]);
const path = "status.conditions";

/** Reports whether a condition says that the request was approved or denied. */
export const isDecision = ({ type = "" }: Condition): boolean => decisions.includes(type);

/** Returns the conditions with the times that they lack: when they changed last, and now. */
export function withTimes(
  conditions: readonly Condition[] | undefined,
  stored: readonly Condition[] = [],
  now: Instant,
): readonly Condition[] | undefined {
  const time = formatTime(now);
  return conditions?.map((condition) => {
    const before = stored.find(({ type, status }) => type === condition.type && status === condition.status);
    const { lastUpdateTime = time, lastTransitionTime = before?.lastTransitionTime ?? time } = condition;
    return { ...condition, lastUpdateTime, lastTransitionTime };
  });
}

/** Validates the conditions by themselves. */
export function validateConditions({ status }: Request): FieldErrors {
  const seen = new Set<string>();
  return each(status?.conditions, path, ({ type = "", status: word }, at) => {
    const other = decisions.find((decision) => decision !== type && seen.has(decision));
    const isRepeated = seen.has(type);
    seen.add(type);
    return [
      ...requiredText(type, `${at}.type`),
      ...requiredOneOf(word, `${at}.status`, lasting.has(type) ? ["True"] : ["False", "True", "Unknown"]),
      ...(decisions.includes(type) && other !== undefined
        ? [invalid(`${at}.type`, type, "Approved and Denied conditions are mutually exclusive")]
        : none),
      ...(isRepeated ? [duplicate(`${at}.type`, type)] : none),
    ];
  });
}

/** Validates that what was decided stays. */
export function validateKeptConditions({ next, previous }: ObjectUpdate<Request>): FieldErrors {
  const kept = new Set(next.status?.conditions?.map(({ type }) => type));
  return (previous.status?.conditions ?? []).flatMap(({ type = "" }) =>
    lasting.has(type) && !kept.has(type)
      ? [forbidden(path, `updates may not remove a condition of type ${JSON.stringify(type)}`)]
      : none,
  );
}

/** Validates that certificates which are issued are some, and stay. */
export function validateIssued({ next, previous }: ObjectUpdate<Request>): FieldErrors {
  const [issued = "", before = ""] = [next.status?.certificate, previous.status?.certificate];
  if (issued === before) return none;
  if (before !== "")
    return [forbidden("status.certificate", "updates may not modify existing certificate content")];
  const problem = problemOf(pemBlocks(base64Bytes(issued)));
  return problem === undefined ? none : [invalid("status.certificate", "<certificate data>", problem)];
}

function problemOf(blocks: readonly PemBlock[]): string | undefined {
  if (blocks.length === 0) return "must contain at least one CERTIFICATE PEM block";
  if (blocks.some(({ type }) => type !== "CERTIFICATE")) return "only CERTIFICATE PEM blocks are allowed";
  // What is signed, the algorithm, and the signature.
  return blocks.some(({ bytes }) => elementsOf(bytes)?.length !== 3)
    ? "must contain certificates"
    : undefined;
}
