import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { expect, test } from "vitest";
import { checkRequest } from "./check-request.ts";

function requestTo(host: string): IncomingMessage {
  const request = new IncomingMessage(new Socket());
  const origin = `http://${host}`;
  const headersDistinct = { host: [host], origin: [origin] };
  return Object.assign(request, { method: "GET", url: "/", headers: { host, origin }, headersDistinct });
}

test.for([
  [8080, "127.0.0.1:8080", undefined],
  [8080, "localhost:8080", undefined],
  [8080, "127.0.0.1", 421],
  [80, "127.0.0.1", undefined],
  [80, "localhost", undefined],
  [80, "127.0.0.1:8080", 421],
  [80, "evil.example", 421],
] as const)("on port %i the Host %s is refused with %s", ([port, host, code]) => {
  expect(checkRequest(requestTo(host), port)?.code).toBe(code);
});
