// Connections that are used for many requests, by clients that pipeline, cut what they send anywhere, and read slowly.
// `TRIMTAB_NODES` names other Node programs that serve them, with colons.
import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import { setImmediate as nextTurn } from "node:timers/promises";
import { connect, type TLSSocket } from "node:tls";
import { expect, onTestFinished, test } from "vitest";
import { oneOf, type Random, randomInt, seededRandom } from "../../src/machinery/random/random.ts";
import { compiled } from "../durable/compiled.ts";
import { type RawResponse, ResponseReader } from "./response-reader.ts";

const others = (process.env["TRIMTAB_NODES"] ?? "").split(path.delimiter).filter((node) => node !== "");
const nodes = [process.execPath, ...others];

interface Access {
  readonly port: number;
  readonly ca: string;
  readonly token: string;
}

/** Starts the API server in a process of that Node. */
async function serveWith(node: string): Promise<Access> {
  const child = spawn(node, [compiled("test/connections/server-process.ts")], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [line] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
  return JSON.parse(line) as Access;
}

async function open({ port, ca }: Access): Promise<TLSSocket> {
  const socket = connect({ port, host: "127.0.0.1", ca, servername: "localhost" });
  onTestFinished(() => void socket.destroy());
  await once(socket, "secureConnect");
  return socket;
}

interface PlannedRequest {
  readonly bytes: Buffer;
  /** The response as it should be. */
  readonly code: number;
  readonly says: string;
}

const collection = "/api/v1/namespaces/default/configmaps";

/** Writes requests of one client, who alone writes its ConfigMap. */
function planner({ token }: Access, name: string) {
  const auth = `Host: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n`;
  const bytesOf = (line: string, body: string | undefined, cuts?: () => number): Buffer => {
    const head = `${line} HTTP/1.1\r\n${auth}`;
    if (body === undefined) return Buffer.from(`${head}\r\n`);
    if (cuts === undefined) return Buffer.from(`${head}Content-Length: ${body.length}\r\n\r\n${body}`);
    const chunks: string[] = [];
    for (let rest = body; rest !== "";) {
      const size = cuts();
      const chunk = rest.slice(0, size);
      chunks.push(`${chunk.length.toString(16)}\r\n${chunk}\r\n`);
      rest = rest.slice(size);
    }
    return Buffer.from(`${head}Transfer-Encoding: chunked\r\n\r\n${chunks.join("")}0\r\n\r\n`);
  };
  let mark = 0;
  const object = (length: number) =>
    JSON.stringify({ metadata: { name }, data: { mark: `<${mark}>`, text: "x".repeat(length) } });
  return {
    create: (): PlannedRequest => ({
      bytes: bytesOf(`POST ${collection}`, object(0)),
      code: 201,
      says: `<${mark}>`,
    }),
    update(length: number, cuts?: () => number): PlannedRequest {
      mark++;
      return {
        bytes: bytesOf(`PUT ${collection}/${name}`, object(length), cuts),
        code: 200,
        says: `<${mark}>`,
      };
    },
    read: (): PlannedRequest => ({
      bytes: bytesOf(`GET ${collection}/${name}`, undefined),
      code: 200,
      says: `<${mark}>`,
    }),
    readLong: (): PlannedRequest => ({
      bytes: bytesOf("GET /api/v1/namespaces/large/configmaps", undefined),
      code: 200,
      says: "ConfigMapList",
    }),
    readNothing: (): PlannedRequest => ({
      bytes: bytesOf(`GET ${collection}/none-of-${name}`, undefined),
      code: 404,
      says: "NotFound",
    }),
  };
}

/** From one byte to several records of TLS, and what is next to the size of one. */
const sizes = [1, 2, 7, 100, 1000, 4096, 16_000, 16_383, 16_384, 16_385, 18_000, 40_000, 65_536, 200_000];

/** What is wrong with a response; `undefined`: nothing. */
function problemOf({ code, says }: PlannedRequest, response: RawResponse): string | undefined {
  const text = response.body.toString();
  if (response.code === code && text.includes(says)) return undefined;
  return `not ${code} with ${says} but ${response.code}: ${text.slice(0, 300)}`;
}

/** Sends the requests, so many ahead of their responses, in pieces. */
async function exchange(
  socket: TLSSocket,
  requests: readonly PlannedRequest[],
  { random, ahead }: { readonly random: Random; readonly ahead: number },
): Promise<readonly (string | undefined)[]> {
  const maxPiece = oneOf(sizes.slice(3), random) ?? 1;
  const readBytes = oneOf(sizes.slice(3), random) ?? 1;
  const turns = () => randomInt(random, 4);
  const pause = async () => {
    for (let left = turns(); left > 0; left--) await nextTurn();
  };
  const reader = new ResponseReader(socket, {
    pieceBytes: () => 1 + randomInt(random, readBytes * 8),
    pause,
  });
  const state = { answered: 0, wake: () => {} };
  const send = async () => {
    for (const [index, { bytes }] of requests.entries()) {
      while (index - state.answered >= ahead) await new Promise<void>((resolve) => (state.wake = resolve));
      for (let rest = bytes; rest.length > 0;) {
        const size = 1 + randomInt(random, maxPiece);
        socket.write(rest.subarray(0, size));
        rest = rest.subarray(size);
        await pause();
      }
    }
  };
  const receive = async () => {
    const problems: (string | undefined)[] = [];
    for (const request of requests) {
      problems.push(problemOf(request, await reader.next()));
      state.answered++;
      state.wake();
    }
    return problems;
  };
  const [problems] = await Promise.all([receive(), send()]);
  return problems;
}

const perConnection = 30;

async function torture(access: Access, seed: number): Promise<readonly (string | undefined)[]> {
  const random = seededRandom(`keep-alive-${seed}`);
  const plan = planner(access, `own-${seed}`);
  const size = () => oneOf(sizes, random) ?? 1;
  const kinds = [
    () => plan.update(size()),
    () => plan.update(size()),
    () => plan.update(size(), () => size()),
    () => plan.read(),
    () => plan.read(),
    () => plan.readNothing(),
    () => plan.readLong(),
  ];
  const requests = [plan.create()];
  while (requests.length < perConnection) requests.push((oneOf(kinds, random) ?? plan.read)());
  const ahead = oneOf([1, 2, 5, perConnection], random) ?? 1;
  return exchange(await open(access), requests, { random, ahead });
}

test.for(nodes)("every request of a hostile connection is answered, in its order, by %s", async (node) => {
  const access = await serveWith(node);
  for (let seed = 0; seed < 40; seed += 4) {
    const all = await Promise.all([0, 1, 2, 3].map((more) => torture(access, seed + more)));
    expect(all.flat().filter((problem) => problem !== undefined)).toEqual([]);
  }
});

test.for(nodes)(
  "a client that updates a large object again and again keeps its connection to %s",
  async (node) => {
    const access = await serveWith(node);
    const update = async (name: string) => {
      const plan = planner(access, name);
      const requests = [plan.create(), ...Array.from({ length: 300 }, () => plan.update(18_000))];
      const socket = await open(access);
      const reader = new ResponseReader(socket, {
        pieceBytes: () => 2 ** 20,
        pause: () => Promise.resolve(),
      });
      const problems: (string | undefined)[] = [];
      for (const request of requests) {
        socket.write(request.bytes);
        problems.push(problemOf(request, await reader.next()));
      }
      return problems;
    };
    const all = await Promise.all(["a", "b", "c", "d"].map(update));
    expect(all.flat().filter((problem) => problem !== undefined)).toEqual([]);
  },
);
