import { completeKubectl, type KubectlIo, runKubectl } from "../../../src/kubectl/index.ts";
import type { OpenRequest } from "../../../src/machinery/client/http/transport.ts";
import type { PlaySession } from "./play-session.ts";
import { eventOfRequest } from "./request-event.ts";
import type { LineIo } from "./run-line.ts";
import { openIn } from "./open-in.ts";
import { runTrimtab, trimtabWords } from "./trimtab-line.ts";

// What the terminal runs, loaded once the cluster is there.
export { applyText, checkText, wordsOfText } from "./apply-text.ts";
export { exportManifests } from "./export-manifests.ts";
export { runTrimtab as trimtab } from "./trimtab-line.ts";

/** The only file there is: what the panel Manifests has. */
export const manifestFile = "manifest.yaml";

/** Runs the words behind `kubectl`; what it changes becomes part of the scenario. */
export function kubectl(words: readonly string[], session: PlaySession, io: LineIo): Promise<number> {
  const line = `kubectl ${words.join(" ")}`;
  return runKubectl(words, {
    open: words.includes("drain") ? recordDrain(session, line) : recordAll(session, line),
    out: (text) => io.write({ to: "out", text }),
    err: (text) => io.write({ to: "err", text }),
    clock: session.clock,
    signal: io.signal,
    readFile: (name) => readManifest(name, io),
    edit: async (text) => (await io.edit(text)) ?? text,
    trimtab: (others) => runTrimtab(others, session, io),
  });
}

function recordAll(session: PlaySession, line: string): OpenRequest {
  const open = openIn(session);
  return async (request, signal) => {
    const response = await open(request, signal);
    if (response.code >= 300) return response;
    const event = eventOfRequest(request);
    if (event.kind === "event") session.record(event.done);
    if (event.kind === "missing") session.miss(line);
    return response;
  };
}

/** A drain is one event for each node: its evictions are tried again there as they are here. */
function recordDrain(session: PlaySession, line: string): OpenRequest {
  const open = openIn(session);
  const drained = new Set<string>();
  return async (request, signal) => {
    const response = await open(request, signal);
    const event = eventOfRequest(request);
    if (response.code >= 300 || event.kind === "reads") return response;
    const [, node] = /^\/api\/v1\/nodes\/([^/?]+)/.exec(request.path) ?? [];
    // Some Pods only, or in another way: no event says that.
    if (/--(?:pod-selector|disable-eviction)/.test(line)) session.miss(line);
    else if (node !== undefined && !drained.has(node)) session.record({ drain: { node } });
    if (node !== undefined) drained.add(node);
    return response;
  };
}

function readManifest(name: string, { manifest }: LineIo): Promise<string> {
  if (name === manifestFile || name === "-") return Promise.resolve(manifest);
  return Promise.reject(
    new Error(
      `the path ${JSON.stringify(name)} does not exist: the file here is ${manifestFile}, the panel Manifests`,
    ),
  );
}

/** What may stand in place of the last of some words. */
export async function completeTerminalLine(
  words: readonly string[],
  session: PlaySession,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const [program = "", ...rest] = words;
  if (rest.length === 0)
    return ["kubectl", "trimtab", "help", "clear"].filter((word) => word.startsWith(program));
  if (program === "trimtab") return trimtabWords(rest, session, signal);
  if (program !== "kubectl" && program !== "k") return [];
  if (/^(-f|--filename)$/.test(words.at(-2) ?? "")) return [manifestFile];
  const silent = () => undefined;
  const io: KubectlIo = { open: openIn(session), out: silent, err: silent, clock: session.clock, signal };
  return completeKubectl(rest, io);
}
