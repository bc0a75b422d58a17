import { createSecureContext, type SecureContextOptions } from "node:tls";
import { messageOf } from "../../api/message-of.ts";
import { readTextFile } from "../../machinery/client/connection/text-file.ts";
import { type Clock, elapsedMs } from "../../machinery/clock/clock.ts";
import type { Logger } from "../../machinery/log/logger.ts";

/** The certificate of a picker, as PEM, or as the files of a mounted Secret, which are read again when they change. */
export type ServingTls =
  | { readonly certificate: string; readonly key: string; readonly clientCa?: string }
  | { readonly certificateFile: string; readonly keyFile: string; readonly clientCaFile?: string };

export type TlsContext = Pick<SecureContextOptions, "cert" | "key" | "ca" | "minVersion">;

type ReadTls =
  | { readonly ok: true; readonly context: TlsContext }
  | { readonly ok: false; readonly problem: string };

/** Reads the certificate, its key and the CA of client certificates; the problem is one sentence. */
export function readTls(tls: ServingTls): ReadTls {
  const texts = "certificate" in tls ? inline(tls) : fromFiles(tls);
  if (typeof texts === "string") return { ok: false, problem: texts };
  const [cert, key, ca] = texts;
  const context = { cert, key, minVersion: "TLSv1.2", ...(ca !== undefined && { ca }) } as const;
  try {
    createSecureContext(context);
    return { ok: true, context };
  } catch (error) {
    return { ok: false, problem: `tls has no usable certificate and key: ${messageOf(error)}` };
  }
}

type Texts = readonly [certificate: string, key: string, clientCa: string | undefined];

function inline({ certificate, key, clientCa }: Extract<ServingTls, { certificate: string }>): Texts {
  return [certificate, key, clientCa];
}

/** The texts of the files, or why they cannot be read. */
function fromFiles(files: Extract<ServingTls, { certificateFile: string }>): Texts | string {
  const texts: string[] = [];
  for (const path of [files.certificateFile, files.keyFile, files.clientCaFile]) {
    if (path === undefined) continue;
    const read = readTextFile(path);
    if (!read.ok) return `${path}: ${read.reason}`;
    texts.push(read.text);
  }
  const [certificate = "", key = "", clientCa] = texts;
  return [certificate, key, clientCa];
}

const rereadMs = 60_000;

/** Returns a function that reads the files again, at most once a minute: the new context, if it is another. */
export function followTls(
  tls: ServingTls,
  first: TlsContext,
  { clock, log }: { readonly clock: Clock; readonly log: Logger },
): () => TlsContext | undefined {
  let [known, readAt] = [JSON.stringify(first), elapsedMs(clock)];
  return () => {
    if ("certificate" in tls || elapsedMs(clock) - readAt < rereadMs) return undefined;
    readAt = elapsedMs(clock);
    const read = readTls(tls);
    // Half of a renewal may be on disk: the next reading sees all of it.
    if (!read.ok) log.warn("certificate not renewed", { reason: read.problem });
    if (!read.ok || JSON.stringify(read.context) === known) return undefined;
    known = JSON.stringify(read.context);
    log.info("certificate renewed");
    return read.context;
  };
}
