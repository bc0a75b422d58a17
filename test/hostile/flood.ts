import { readdirSync, readFileSync } from "node:fs";
import { Agent, request as httpsRequest } from "node:https";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseJson } from "../../src/api/parse-json.ts";
import { isJsonObject, type JsonObject } from "../../src/api/json.ts";
import { defaultFeatureGates } from "../../src/api/feature-gates.ts";
import { createApiServer } from "../../src/cluster/apiserver/create-api-server.ts";
import type { ServedResource } from "../../src/cluster/apiserver/served-resource.ts";
import { MemoryStore } from "../../src/cluster/store/memory-store.ts";
import type { WallClock } from "../../src/machinery/clock/wall-clock.ts";
import { silentLogger } from "../../src/machinery/log/logger.ts";
import { oneOf, type Random, seededRandom } from "../../src/machinery/random/random.ts";
import { mutate, wordsOf } from "../fuzz/mutate.ts";
import { isOfExtension, randomExtensionRequest } from "./random-extension.ts";
import { collectionPath, problemWith, type RandomRequest, randomRequest } from "./random-request.ts";

/** How to reach an API server on this machine. */
export interface FloodedServer {
  readonly port: number;
  readonly ca: string;
  readonly token: string;
}

export interface FloodOptions {
  readonly server: FloodedServer;
  readonly requests: number;
  /** Ends the flood after this many seconds, however many requests were sent. */
  readonly seconds: number;
  readonly seed: string;
  readonly clock: WallClock;
}

/** The result of a flood of requests. */
export interface FloodReport {
  readonly sent: number;
  /** How often each status code was answered. */
  readonly codes: Readonly<Record<string, number>>;
  /** The requests that were answered wrongly. */
  readonly problems: readonly string[];
  /** The milliseconds that each request of the innocent client took, the shortest first. */
  readonly innocentMs: readonly number[];
}

interface Sent {
  readonly what: string;
  readonly bytes: Uint8Array | undefined;
  readonly contentType: string;
  readonly accept?: string | undefined;
}

interface Answered {
  readonly code: number;
  readonly text: string;
}

/** Clients of the flood that send at the same time. */
const senders = 16;
/** How long the innocent client waits between two requests. */
const restMs = 20;
const innocentPath = "/api/v1/namespaces/default/configmaps/innocent";

/**
 * Sends random objects, patches and broken bodies to every resource of an API server, while an innocent client reads one
 * object again and again on a connection of its own.
 */
export async function floodServer({
  server,
  requests,
  seconds,
  seed,
  clock,
}: FloodOptions): Promise<FloodReport> {
  const client = clientOf(server);
  const innocent = clientOf(server);
  const codes: Record<string, number> = {};
  const problems: string[] = [];
  const innocentMs: number[] = [];
  const resources = servedBy(clock);
  const state = { sent: 0, senders };
  const end = clock.elapsed() + seconds * 1000;

  const prepare = async () => {
    for (const name of ["default", "innocent"])
      await client.send({
        what: `POST ${name === "default" ? serviceAccounts : path.dirname(innocentPath)}`,
        bytes: Buffer.from(JSON.stringify({ metadata: { name } })),
        contentType: "application/json",
      });
  };
  const flood = async (sender: number) => {
    const random = seededRandom(`${seed}/${sender}`);
    while (state.sent < requests && clock.elapsed() < end) {
      state.sent++;
      const request = drawn(resources, random);
      const answer = await client.send(request);
      codes[answer.code] = (codes[answer.code] ?? 0) + 1;
      if (isOfExtension(request.what, answer)) continue;
      const problem = problemWith({ code: answer.code, body: bodyOf(answer) });
      if (problem !== undefined) problems.push(`${request.what}: ${problem}`);
    }
    state.senders--;
  };
  const live = async () => {
    while (state.senders > 0) {
      const began = clock.elapsed();
      const { code, text } = await innocent.send({
        what: `GET ${innocentPath}`,
        bytes: undefined,
        contentType: "",
      });
      innocentMs.push(clock.elapsed() - began);
      if (code !== 200) problems.push(`the innocent client: ${code} ${text}`);
      await clock.sleep(restMs);
    }
  };
  await prepare();
  await Promise.all([...Array.from({ length: senders }, (_, sender) => flood(sender)), live()]);
  client.close();
  innocent.close();
  return { sent: state.sent, codes, problems, innocentMs: innocentMs.toSorted((a, b) => a - b) };
}

const serviceAccounts = "/api/v1/namespaces/default/serviceaccounts";
const corpusFolder = fileURLToPath(new URL("../../../test/fuzz/corpus", import.meta.url));
const bodies = ["json-body", "yaml-body", "protobuf-body", "strategic-patch", "json-patch", "apply"] as const;
const contentTypes = {
  "json-body": "application/json",
  "yaml-body": "application/yaml",
  "protobuf-body": "application/vnd.kubernetes.protobuf",
  "strategic-patch": "application/strategic-merge-patch+json",
  "json-patch": "application/json-patch+json",
  apply: "application/apply-patch+yaml",
} as const;
const corpora = new Map(bodies.map((name) => [name, inputsOf(name)]));

function inputsOf(name: string): readonly Uint8Array[] {
  const folder = path.join(corpusFolder, name);
  return readdirSync(folder)
    .toSorted()
    .map((file) => readFileSync(path.join(folder, file)));
}

/** The resources whose objects can be created. */
function servedBy(clock: WallClock): readonly ServedResource[] {
  const { kinds } = createApiServer({
    clock,
    random: seededRandom("kinds"),
    store: new MemoryStore({ clock }),
    gates: () => defaultFeatureGates,
    log: silentLogger,
  });
  return kinds.all.filter(({ verbs }) => verbs.includes("create"));
}

/** Draws a request: in one of four the body is broken, and one of four is about kinds that others define, or volumes. */
function drawn(resources: readonly ServedResource[], random: Random): Sent {
  if (random.next() < 0.25) return wellFormed(randomExtensionRequest(random));
  const resource = oneOf(resources, random);
  if (resource === undefined) throw new Error("nothing is served");
  return random.next() < 1 / 3 ? broken(resource, random) : wellFormed(randomRequest(resource, random));
}

function wellFormed({ what, body, contentType = "application/json", accept }: RandomRequest): Sent {
  return { what, bytes: body && Buffer.from(JSON.stringify(body)), contentType, accept };
}

function broken(resource: ServedResource, random: Random): Sent {
  const name = oneOf(bodies, random) ?? "json-body";
  const corpus = corpora.get(name) ?? [];
  const isPatch = contentTypes[name].includes("patch");
  const target = collectionPath(resource);
  return {
    what: isPatch ? `PATCH ${target}/a?fieldManager=one` : `POST ${target}`,
    bytes: mutate({ corpus, words: wordsOf(corpus) }, random),
    contentType: contentTypes[name],
  };
}

/** A body that is no JSON object is a text. */
function bodyOf({ text }: Answered): JsonObject {
  const read = parseJson(text);
  return read.ok && isJsonObject(read.value) ? read.value : { text };
}

/** A client that keeps its connections. */
function clientOf({ port, ca, token }: FloodedServer) {
  const agent = new Agent({ keepAlive: true, ca, maxSockets: senders });
  const headers = { authorization: `Bearer ${token}` };
  return {
    send: ({ what, bytes, contentType, accept }: Sent) =>
      new Promise<Answered>((resolve, reject) => {
        const [method = "GET", target = "/"] = what.split(" ");
        const own = {
          ...headers,
          ...(contentType !== "" && { "content-type": contentType }),
          ...(accept !== undefined && { accept }),
        };
        const options = {
          host: "127.0.0.1",
          port,
          servername: "localhost",
          agent,
          ca,
          method,
          path: target,
          headers: own,
        };
        const request = httpsRequest(options, (response) => {
          const chunks: Buffer[] = [];
          response.on("data", (chunk: Buffer) => chunks.push(chunk));
          response.on("end", () =>
            resolve({ code: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }),
          );
          response.on("error", reject);
        });
        request.on("error", reject);
        request.end(bytes);
      }),
    close: () => agent.destroy(),
  };
}
