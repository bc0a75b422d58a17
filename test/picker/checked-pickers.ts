import { onTestFinished } from "vitest";
import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { WallClock } from "../../src/machinery/clock/wall-clock.ts";
import { silentLogger } from "../../src/machinery/log/logger.ts";
import { createPicker } from "../../src/picker/kit/create-picker.ts";
import { checkPicker, type CheckedRow } from "../../src/picker/check/check-picker.ts";
import { probeOf, readPickerUrl } from "../../src/picker/check/check-url.ts";
import type { ProbeTls } from "../../src/picker/check/probe.ts";
import type { Headers } from "../../src/picker/transport/transport.ts";
import { startHttpServer } from "./http-picker.ts";

/** Checks the picker at a URL, with limits that no busy machine exceeds. */
export async function check(
  url: string,
  {
    headers = [],
    tls,
    limitMs = 30_000,
    largest = 1000,
    isPrivate = true,
    namespace = "default",
  }: {
    readonly headers?: Headers;
    readonly tls?: ProbeTls;
    readonly limitMs?: number;
    readonly largest?: number;
    readonly isPrivate?: boolean;
    readonly namespace?: string;
  } = {},
): Promise<readonly CheckedRow[]> {
  const read = readPickerUrl(url, tls);
  if (!read.ok) throw new Error(read.problem);
  const workload: Headers = [
    ["trimtab-namespace", namespace],
    ["trimtab-workload", "Deployment/web"],
  ];
  return checkPicker({
    probe: await probeOf({ ...read.target, headers, workload }),
    clock: new WallClock(),
    candidates: ["web-1", "web-2", "web-3", "web-4"],
    limitMs,
    largest,
    hasCredentials: headers.length > 0 || tls?.certificate !== undefined,
    isPrivate,
    signal: new AbortController().signal,
  });
}

/** A picker of the kit with a token, and the headers that callers need. */
export function kitPicker() {
  const picker = createPicker({
    score: (pod) => pod.length % 3,
    token: "sesame",
    timeoutMs: 30_000,
    log: silentLogger,
  });
  onTestFinished(() => picker.stop());
  const headers: Headers = [["authorization", "Bearer sesame"]];
  return { picker, headers };
}

/** The rows that are not fine, by name. */
export function findings(rows: readonly CheckedRow[]): Readonly<Record<string, string>> {
  const found = rows.filter(({ verdict }) => verdict.kind === "fail" || verdict.kind === "warn");
  return Object.fromEntries(found.map(({ name, verdict }) => [name, `${verdict.kind}: ${verdict.detail}`]));
}

interface Asked {
  readonly requested: number;
  readonly pods: readonly string[];
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The body as it came. */
  readonly body: string;
  /** Counts from 1. */
  readonly call: number;
}

/** Answers one question, or does something else. */
export type Handle = (asked: Asked) => unknown;

/** A picker over HTTP without any mistake but those of its handler; `undefined` means that it has responded itself. */
export async function startPicker(handle: Handle): Promise<string> {
  let call = 0;
  const server = await startHttpServer((request, response) => void serve(request, response));
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await text(request).catch(() => "");
    const asked = parse(body);
    if (request.method !== "POST") return void response.writeHead(405).end();
    if (asked === undefined) return void response.writeHead(400).end();
    call += 1;
    const answer = await handle({ ...asked, request, response, body, call });
    if (answer === undefined) return;
    response.setHeader("content-type", "application/json").end(JSON.stringify(answer));
  };
  onTestFinished(() => server.close());
  return `http://127.0.0.1:${server.port}/`;
}

function parse(body: string): Pick<Asked, "requested" | "pods"> | undefined {
  try {
    const { number_of_pods_requested: requested, candidate_pods: pods } = JSON.parse(body) as Record<
      string,
      unknown
    >;
    return typeof requested === "number" && Array.isArray(pods)
      ? { requested, pods: pods as string[] }
      : undefined;
  } catch {
    return undefined; // not JSON: the picker refuses it
  }
}
