import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import {
  type ConnectionInjector,
  type MethodDefinition,
  type sendUnaryData,
  Server,
  ServerCredentials,
  type ServerUnaryCall,
  status,
} from "@grpc/grpc-js";
import type { Clock } from "../../machinery/clock/clock.ts";
import { encodePickPodsResponse, parsePickPodsRequest, pickPodsPath } from "../transport/grpc-messages.ts";
import { type Answering, type PickAnswer, refused } from "./answer-questions.ts";
import type { Caller } from "./authenticate.ts";
import type { RefusalReason } from "./kit-metrics.ts";
import { checkedQuestion, maxQuestionBytes, workloadFrom } from "./read-question.ts";

export interface GrpcEndpointOptions {
  readonly answering: Answering;
  readonly isTrusted: (caller: Caller) => boolean;
  readonly clock: Clock;
}

/** Serves questions and `grpc.health.v1.Health/Check` on the connections it is given. */
export interface GrpcEndpoint {
  /** `hasCertificate` as for `Caller`. */
  accept(connection: Duplex, hasCertificate: boolean | undefined): void;
  /** Whether a question that came on this connection is being answered. */
  hasCall(connection: Socket): boolean;
  /** Tells callers to leave; resolves when they have, at the latest after the grace period. */
  stop(graceMs: number): Promise<void>;
}

const codes: Readonly<Record<RefusalReason, status>> = {
  bad_request: status.INVALID_ARGUMENT,
  busy: status.RESOURCE_EXHAUSTED,
  cancelled: status.CANCELLED,
  failed: status.INTERNAL,
  late_question: status.DEADLINE_EXCEEDED,
  overran: status.DEADLINE_EXCEEDED,
  stopping: status.UNAVAILABLE,
  unauthenticated: status.UNAUTHENTICATED,
};

export function grpcEndpoint(options: GrpcEndpointOptions): GrpcEndpoint {
  // grpc-js does not tell a handler which connection a call came on: each kind of connection has a server of its own.
  const servers = new Map<boolean | undefined, ServedConnections>();
  const calls = new Set<Call>();
  const serverFor = (hasCertificate: boolean | undefined) => {
    const known = servers.get(hasCertificate) ?? servedConnections({ ...options, calls }, hasCertificate);
    servers.set(hasCertificate, known);
    return known;
  };
  return {
    accept: (connection, hasCertificate) => serverFor(hasCertificate).injector.injectConnection(connection),
    hasCall: ({ remoteAddress, remotePort }) =>
      [...calls].some((call) => call.getPeer() === `${remoteAddress}:${remotePort}`),
    stop: async (graceMs) => {
      await Promise.all([...servers.values()].map((served) => stopServed(served, graceMs, options.clock)));
    },
  };
}

interface Serving extends GrpcEndpointOptions {
  /** Those that are being answered. */
  readonly calls: Set<Call>;
}

interface ServedConnections {
  readonly server: Server;
  readonly injector: ConnectionInjector;
}

/** Ends connections without a call for this long, including new ones. */
const maxIdleMs = 65_000;

function servedConnections(options: Serving, hasCertificate: boolean | undefined): ServedConnections {
  const server = new Server({
    "grpc.max_receive_message_length": maxQuestionBytes,
    "grpc.max_connection_idle_ms": maxIdleMs,
  });
  server.addService(
    { PickPods: methodOf(pickPodsPath), Check: methodOf("/grpc.health.v1.Health/Check") },
    {
      PickPods: (call: Call, reply: Reply) => void pickPods(call, reply, { ...options, hasCertificate }),
      // SERVING is 1, NOT_SERVING 2.
      Check: (_: Call, reply: Reply) => reply(null, Buffer.from([8, options.answering.isStopping ? 2 : 1])),
    },
  );
  return { server, injector: server.createConnectionInjector(ServerCredentials.createInsecure()) };
}

async function stopServed({ server, injector }: ServedConnections, graceMs: number, clock: Clock) {
  const shutDown = new Promise<void>((resolve) => server.tryShutdown(() => resolve()));
  injector.drain(graceMs);
  const timer = clock.after(graceMs, () => server.forceShutdown());
  await shutDown;
  timer.cancel();
}

type Call = ServerUnaryCall<Buffer, Buffer>;
type Reply = sendUnaryData<Buffer>;

/** A unary method whose messages stay bytes, so that malformed ones are answered here. */
function methodOf(path: string): MethodDefinition<Buffer, Buffer> {
  const same = (bytes: Buffer) => bytes;
  return {
    path,
    requestStream: false,
    responseStream: false,
    requestSerialize: same,
    requestDeserialize: same,
    responseSerialize: same,
    responseDeserialize: same,
  };
}

async function pickPods(
  call: Call,
  reply: Reply,
  options: Serving & Pick<Caller, "hasCertificate">,
): Promise<void> {
  const { answering, isTrusted, clock, hasCertificate, calls } = options;
  calls.add(call);
  const header = (name: string) => call.metadata.get(name).map(String)[0];
  const gone = new AbortController();
  call.on("cancelled", () => gone.abort());
  const read = () => {
    const question = parsePickPodsRequest(call.request);
    return Promise.resolve(
      question === undefined
        ? refused("bad_request", "the message is not a PickPodsRequest")
        : checkedQuestion(question, workloadFrom(header)),
    );
  };
  const answer = isTrusted({ header, hasCertificate })
    ? await answering.answer(read, {
        protocol: "grpc",
        leftMs: Number(call.getDeadline()) - clock.now(),
        signal: gone.signal,
      })
    : answering.refuseCaller("grpc");
  calls.delete(call);
  send(reply, answer);
}

function send(reply: Reply, answer: PickAnswer): void {
  if (answer.kind === "answered") reply(null, encodePickPodsResponse(answer));
  else reply({ code: codes[answer.refusal], details: answer.message });
}
