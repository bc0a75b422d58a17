import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import {
  type sendUnaryData,
  Server,
  ServerCredentials,
  type ServerOptions,
  type ServerUnaryCall,
  status,
} from "@grpc/grpc-js";
import type { KeyPair } from "../../src/machinery/certificates/certificate.ts";
import { pickPodsMethod } from "./pick-pods-method.ts";
import { type Behaviour, type PickerScript, Requests, type ScriptedPicker } from "./scripted-picker.ts";

interface Request {
  readonly number_of_pods_requested: number;
  readonly candidate_pods: readonly string[];
}

/** A gRPC picker that follows the contract, except where its script says otherwise. */
export const startGrpcPicker = async (
  script: PickerScript,
  tls?: KeyPair,
  options: ServerOptions = {},
): Promise<ScriptedPicker> => {
  const requests = new Requests();
  const server = new Server(options);
  const sockets = new Set<Socket>();
  const drop = () => sockets.forEach((socket) => socket.resetAndDestroy());
  server.addService(
    { PickPods: sendingBuffers(pickPodsMethod()) },
    {
      PickPods(call: ServerUnaryCall<Request, object>, answer: sendUnaryData<object>) {
        const { number_of_pods_requested: requested, candidate_pods: candidates } = call.request;
        const headers = { ...call.metadata.getMap(), host: call.getHost(), deadline: call.getDeadline() };
        const received = { requested, candidates, headers };
        act(script(received, requests.add(received)), answer, drop);
      },
    },
  );
  const trust =
    tls === undefined
      ? ServerCredentials.createInsecure()
      : ServerCredentials.createSsl(null, [
          { cert_chain: Buffer.from(tls.certificate), private_key: Buffer.from(tls.key) },
        ]);
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", trust, (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  const front = await startProxy(port, sockets);
  return {
    port: front.port,
    received: requests.received,
    asked: (times) => requests.asked(times),
    async close() {
      await front.close();
      server.forceShutdown();
    },
  };
};

/** A TCP proxy in front of the gRPC server whose connections can be reset; those of grpc-js cannot. */
async function startProxy(port: number, sockets: Set<Socket>) {
  const front = createServer((socket) => {
    const back = connect(port, "127.0.0.1");
    sockets.add(socket);
    socket.on("close", () => back.destroy()).on("error", () => undefined);
    back.on("close", () => socket.destroy()).on("error", () => undefined);
    socket.pipe(back).pipe(socket);
  });
  front.listen(0, "127.0.0.1");
  await once(front, "listening");
  const close = async () => {
    const closed = once(front, "close");
    front.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  return { port: (front.address() as AddressInfo).port, close };
}

/** A method that sends a Buffer without encoding it. */
function sendingBuffers(method: ReturnType<typeof pickPodsMethod>): typeof method {
  const responseSerialize = (answer: object) =>
    Buffer.isBuffer(answer) ? answer : method.responseSerialize(answer);
  return { ...method, responseSerialize };
}

function act(behaviour: Behaviour, answer: sendUnaryData<object>, drop: () => void): void {
  switch (behaviour.does) {
    case "answer": {
      const { chosen = [], tied = [] } = behaviour;
      answer(null, { chosen_pods: chosen, tied_pods: tied });
      return;
    }
    case "shed":
      answer({ code: status.UNAVAILABLE, details: "busy" });
      return;
    case "deny":
      answer({ code: status.PERMISSION_DENIED, details: "secret reasons" });
      return;
    case "hang":
      return;
    case "reset":
      drop();
      return;
    case "flood":
      answer(null, { chosen_pods: ["x".repeat(behaviour.bytes)] });
      return;
    case "garble":
      answer(null, Buffer.from([0x0a, 2, 0x61, 0xff]));
      return;
  }
}
