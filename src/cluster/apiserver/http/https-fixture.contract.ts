import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { Agent, request as httpsRequest, type RequestOptions } from "node:https";
import { onTestFinished } from "vitest";
import type { CertificateAuthority } from "../../../machinery/certificates/certificate.ts";
import { WallClock } from "../../../machinery/clock/wall-clock.ts";
import { startTestApiServer, type TestApiServer } from "../api-server-fixture.contract.ts";
import type { ApiServerAccess, ApiServerOptions } from "../create-api-server.ts";

export interface HttpsAnswer {
  readonly code: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface HttpsCall {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** A client certificate instead of the administrator's token. */
  readonly tls?: Pick<RequestOptions, "cert" | "key">;
  readonly anonymous?: boolean;
}

export interface HttpsTestApiServer extends TestApiServer {
  readonly access: ApiServerAccess;
  /** Sends one request on a new connection and reads the whole response. */
  readonly call: (what: string, call?: HttpsCall) => Promise<HttpsAnswer>;
  /** Sends one request; resolves before the body of the response is read. */
  readonly open: (what: string, call?: HttpsCall) => Promise<IncomingMessage>;
}

/** Starts an API server that listens, and a client; both are closed after the test. */
export async function startHttpsTestApiServer({
  authority,
  ...options
}: Partial<ApiServerOptions> & {
  readonly authority?: CertificateAuthority;
} = {}): Promise<HttpsTestApiServer> {
  // Certificates have to be valid today, so the virtual clock starts now.
  const fixture = await startTestApiServer({ ...options, startAt: new WallClock().now() });
  const access = await fixture.server.listen({ port: 0, ...(authority !== undefined && { authority }) });
  const agent = new Agent({ keepAlive: false, ca: access.ca });
  onTestFinished(async () => {
    agent.destroy();
    await access.close();
  });

  const open = (
    what: string,
    { headers, body, tls, anonymous = false }: HttpsCall = {},
  ): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const [method = "GET", path = "/"] = what.split(" ");
      const authorization = anonymous || tls !== undefined ? {} : { authorization: `Bearer ${access.token}` };
      const request = httpsRequest(
        `${access.url}${path}`,
        {
          method,
          agent,
          ca: access.ca,
          servername: "localhost",
          ...tls,
          headers: { ...authorization, ...headers },
        },
        resolve,
      );
      request.on("error", reject);
      request.end(body);
    });

  return {
    ...fixture,
    access,
    open,
    async call(what, call) {
      const answer = await open(what, call);
      const chunks: Buffer[] = [];
      for await (const chunk of answer) chunks.push(chunk as Buffer);
      return {
        code: answer.statusCode ?? 0,
        headers: answer.headers,
        text: Buffer.concat(chunks).toString(),
      };
    },
  };
}

/** The first lines of a streamed response, parsed. */
export async function readLines(answer: IncomingMessage, count: number): Promise<readonly unknown[]> {
  const chunks: Buffer[] = [];
  let ends = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) ends++;
    if (ends >= count) break;
  }
  const lines = Buffer.concat(chunks)
    .toString()
    .split("\n")
    .filter((line) => line !== "");
  return lines.slice(0, count).map((line) => JSON.parse(line) as unknown);
}
