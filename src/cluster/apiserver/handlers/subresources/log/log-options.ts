import { type FieldError, forbidden, invalid } from "../../../../../api/field-error.ts";
import { type Instant, parseTime } from "../../../../../api/time.ts";
import type { RequestOptions } from "../../../request/api-request.ts";
import { badRequest, invalidObject } from "../../../status-errors.ts";

/** Selects a part of a log, and its format. */
export interface LogOptions {
  readonly follow: boolean;
  readonly previous: boolean;
  readonly timestamps: boolean;
  readonly tailLines: number | undefined;
  readonly limitBytes: number | undefined;
  readonly since: Instant | undefined;
}

/** Reads the options of a log; throws 422 for invalid ones, and 400 for a malformed time. */
export function logOptionsOf(options: RequestOptions, podName: string, now: Instant): LogOptions {
  const errors = problemsOf(options);
  if (errors.length > 0) throw invalidObject({ group: "", kind: "PodLogOptions" }, podName, errors);
  const { follow = false, previous = false, timestamps = false, tailLines, limitBytes } = options;
  return { follow, previous, timestamps, tailLines, limitBytes, since: sinceOf(options, now) };
}

function problemsOf({ tailLines, limitBytes, sinceSeconds, sinceTime }: RequestOptions): FieldError[] {
  const errors: FieldError[] = [];
  if (tailLines !== undefined && tailLines < 0)
    errors.push(invalid("tailLines", tailLines, "must be greater than or equal to 0"));
  if (limitBytes !== undefined && limitBytes < 1)
    errors.push(invalid("limitBytes", limitBytes, "must be greater than 0"));
  if (sinceSeconds !== undefined && sinceTime !== undefined)
    errors.push(forbidden("", "at most one of `sinceTime` or `sinceSeconds` may be specified"));
  else if (sinceSeconds !== undefined && sinceSeconds < 1)
    errors.push(invalid("sinceSeconds", sinceSeconds, "must be greater than 0"));
  return errors;
}

function sinceOf({ sinceSeconds, sinceTime }: RequestOptions, now: Instant): Instant | undefined {
  if (sinceSeconds !== undefined) return now - sinceSeconds * 1000;
  if (sinceTime === undefined) return undefined;
  const since = parseTime(sinceTime);
  if (since === undefined) throw badRequest(`sinceTime: ${JSON.stringify(sinceTime)} is no RFC 3339 time`);
  return since;
}
