import { utf8Bytes, utf8Text } from "../../../../../api/bytes.ts";
import { formatMicroTime, type Instant } from "../../../../../api/time.ts";
import type { LogLine } from "../../../../kubelet/container-log.ts";
import type { LogOptions } from "./log-options.ts";

/** Returns the lines of a log that its options select. */
export function selectedLines(
  lines: readonly LogLine[],
  { since, tailLines }: Pick<LogOptions, "since" | "tailLines">,
): readonly LogLine[] {
  const recent = since === undefined ? lines : lines.filter(({ at }) => at >= since);
  return tailLines === undefined ? recent : recent.slice(Math.max(0, recent.length - tailLines));
}

/** Returns the text of lines, each with its time if the options say so. */
export function logText(lines: readonly LogLine[], { timestamps }: Pick<LogOptions, "timestamps">): string {
  return lines.map(({ at, text }) => (timestamps ? `${nanoTime(at)} ${text}\n` : `${text}\n`)).join("");
}

/** Formats a time with nine digits, as kubelets write it. */
const nanoTime = (at: Instant) => formatMicroTime(at).replace(/Z$/, "000Z");

/** Cuts texts after a total number of bytes. */
export class ByteLimit {
  #left: number;

  constructor(limit: number | undefined) {
    this.#left = limit ?? Number.POSITIVE_INFINITY;
  }

  /** Returns the part of the next text that is within the limit. */
  cut(text: string): string {
    const bytes = utf8Bytes(text);
    if (bytes.length <= this.#left) {
      this.#left -= bytes.length;
      return text;
    }
    const kept = utf8Text(bytes.subarray(0, this.#left));
    this.#left = 0;
    return kept;
  }

  get isReached(): boolean {
    return this.#left <= 0;
  }
}
