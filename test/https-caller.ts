import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { Agent, request as httpsRequest } from "node:https";
import { createInterface } from "node:readline";
import type { ApiServerAccess } from "../src/cluster/apiserver/create-api-server.ts";

export interface Call {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Without the administrator's token. */
  readonly anonymous?: boolean;
}

export interface Answered {
  readonly code: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Someone who speaks plain HTTPS to a server, without a client's good manners. */
export interface HttpsCaller {
  /** `GET /version`: a request on a connection of its own, answered whole. */
  readonly call: (what: string, call?: Call) => Promise<Answered>;
  /** One whose answer may still be coming. */
  readonly open: (what: string, call?: Call) => Promise<IncomingMessage>;
  /** The lines of such an answer as they come. */
  readonly lines: (answer: IncomingMessage) => AsyncIterableIterator<string>;
  readonly close: () => void;
}

/** Someone who knows the address of a server and its administrator's token. */
export function httpsCaller({ url, ca, token }: Pick<ApiServerAccess, "url" | "ca" | "token">): HttpsCaller {
  const agent = new Agent({ keepAlive: false, ca });
  const open = (what: string, { headers, body, anonymous = false }: Call = {}) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const [method = "GET", path = "/"] = what.split(" ");
      const authorization = anonymous ? {} : { authorization: `Bearer ${token}` };
      const request = httpsRequest(
        url,
        { method, path, agent, ca, servername: "localhost", headers: { ...authorization, ...headers } },
        resolve,
      );
      request.on("error", reject);
      request.end(body);
    });
  return {
    open,
    async call(what, call) {
      const answer = await open(what, call);
      const chunks: Buffer[] = [];
      for await (const chunk of answer as AsyncIterable<Buffer>) chunks.push(chunk);
      const text = Buffer.concat(chunks).toString();
      return { code: answer.statusCode ?? 0, headers: answer.headers, text };
    },
    lines: (answer) =>
      createInterface({ input: answer })[Symbol.asyncIterator]() as AsyncIterableIterator<string>,
    close: () => agent.destroy(),
  };
}
