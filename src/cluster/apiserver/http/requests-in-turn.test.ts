import { once } from "node:events";
import { type TLSSocket, connect } from "node:tls";
import { expect, onTestFinished, test } from "vitest";
import { type HttpsTestApiServer, startHttpsTestApiServer } from "./https-fixture.contract.ts";

const configMaps = "/api/v1/namespaces/default/configmaps";

async function open({ access: { port, ca } }: HttpsTestApiServer): Promise<TLSSocket> {
  const socket = connect({ port, host: "127.0.0.1", ca, servername: "localhost" });
  onTestFinished(() => void socket.destroy());
  await once(socket, "secureConnect");
  return socket;
}

/** The bytes of requests that one client sends at once. */
function requestsOf(
  { access: { token } }: HttpsTestApiServer,
  requests: readonly (readonly [string, string?])[],
) {
  const headers = `Host: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n`;
  return requests
    .map(([line, body = ""]) => `${line} HTTP/1.1\r\n${headers}Content-Length: ${body.length}\r\n\r\n${body}`)
    .join("");
}

/** Reads until this has come so many times, or the connection is closed. */
async function readUntil(socket: TLSSocket, mark: string, times: number): Promise<string> {
  let text = "";
  let left = times;
  for await (const chunk of socket.setEncoding("utf8") as AsyncIterable<string>) {
    const tail = text.slice(1 - mark.length);
    text += chunk;
    left -= (tail + chunk).split(mark).length - 1;
    if (left <= 0) break;
  }
  return text;
}

const configMap = (mark: string) => JSON.stringify({ metadata: { name: "c" }, data: { mark } });

test("reads that are sent behind a write see it, and none of the writes behind them", async () => {
  const fixture = await startHttpsTestApiServer();
  const socket = await open(fixture);
  socket.write(
    requestsOf(fixture, [
      [`POST ${configMaps}`, configMap("<1>")],
      [`GET ${configMaps}/c`],
      [`GET ${configMaps}`],
      [`PUT ${configMaps}/c`, configMap("<2>")],
      [`GET ${configMaps}/c`],
      [`DELETE ${configMaps}/c`],
      [`GET ${configMaps}/c`],
      [`GET ${configMaps}/c`],
    ]),
  );
  const text = await readUntil(socket, '"NotFound"', 2);
  expect(text.match(/ \d{3} (?=[A-Z])|<\d>/g)?.join("")).toBe(
    " 201 <1> 200 <1> 200 <1> 200 <2> 200 <2> 200  404  404 ",
  );
});

test("reads are handled together: one behind a watch is, and a write is not", async () => {
  const fixture = await startHttpsTestApiServer();
  const socket = await open(fixture);
  const watch = [`GET ${configMaps}?watch=true&timeoutSeconds=60`] as const;
  socket.write(requestsOf(fixture, [watch, [`GET ${configMaps}`], [`POST ${configMaps}`, configMap("<1>")]]));
  await once(socket, "readable");
  expect((await fixture.call(`GET ${configMaps}/c`)).code).toBe(404);
  await fixture.clock.advance(61_000);
  const text = await readUntil(socket, "<1>", 1);
  expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 200", "HTTP/1.1 200", "HTTP/1.1 201"]);
  expect((await fixture.call(`GET ${configMaps}/c`)).code).toBe(200);
});

test("more requests than a connection may have unanswered are refused, and those before are answered", async () => {
  const fixture = await startHttpsTestApiServer();
  const socket = await open(fixture);
  const missing = [`DELETE ${configMaps}/none`] as const;
  socket.write(
    requestsOf(
      fixture,
      Array.from({ length: 1500 }, () => missing),
    ),
  );
  const text = await readUntil(socket, "HTTP/1.1 429", 1);
  const codes = text.match(/HTTP\/1\.1 \d+/g) ?? [];
  expect(new Set(codes)).toEqual(new Set(["HTTP/1.1 404", "HTTP/1.1 429"]));
  expect(codes.filter((code) => code.endsWith("404")).length).toBeGreaterThanOrEqual(1000);
  expect((await fixture.call(`GET ${configMaps}`)).code).toBe(200);
});
