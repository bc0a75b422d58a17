import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { type Behaviour, Requests, type StartPicker } from "./scripted-picker.ts";

/** An HTTP picker that follows the contract, except where its script says otherwise. */
export const startHttpPicker: StartPicker = async (script, tls) => {
  const requests = new Requests();
  const listener = async (request: IncomingMessage, response: ServerResponse) => {
    const body = JSON.parse(await text(request)) as Record<string, unknown>;
    const received = {
      requested: body["number_of_pods_requested"] as number,
      candidates: body["candidate_pods"] as readonly string[],
      headers: request.headers,
    };
    act(script(received, requests.add(received)), response);
  };
  const server = await startHttpServer((request, response) => void listener(request, response), tls);
  return { ...server, received: requests.received, asked: (times) => requests.asked(times) };
};

/** An HTTP server on a loopback port. */
export async function startHttpServer(listener: RequestListener, tls?: Parameters<StartPicker>[1]) {
  const server =
    tls === undefined
      ? createServer(listener)
      : createTlsServer({ cert: tls.certificate, key: tls.key }, listener);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    const closed = once(server, "close");
    server.close();
    server.closeAllConnections();
    await closed;
  };
  return { port, close };
}

function act(behaviour: Behaviour, response: ServerResponse): void {
  switch (behaviour.does) {
    case "answer": {
      const { chosen = [], tied = [] } = behaviour;
      response.end(JSON.stringify({ chosen_pods: chosen, tied_pods: tied }));
      return;
    }
    case "shed":
      response.writeHead(503).end();
      return;
    case "deny":
      response.writeHead(403).end("secret reasons");
      return;
    case "hang":
      return;
    case "reset":
      response.destroy();
      return;
    case "flood":
      response.end(JSON.stringify({ chosen_pods: ["x".repeat(behaviour.bytes)] }));
      return;
    case "garble":
      response.end(Buffer.from('{"chosen_pods":["a\xff"]}', "latin1"));
      return;
  }
}
