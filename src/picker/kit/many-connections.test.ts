import { EventEmitter, once } from "node:events";
import { connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { collectingLogger } from "../../testing/collecting-logger.ts";
import { grpcTransport } from "../transport/grpc-transport.ts";
import { httpTransport } from "../transport/http-transport.ts";
import type { Protocol } from "../picker-settings.ts";
import { createPicker } from "./create-picker.ts";

const host = "127.0.0.1";

/** More than a port keeps. */
const many = 600;

/** A picker whose answers wait until they are released. */
async function start() {
  const events = new EventEmitter();
  const [asked, released] = [once(events, "asked"), once(events, "released")];
  const score = async (pod: string) => {
    events.emit("asked");
    await released;
    return pod.length;
  };
  const picker = createPicker({ score, timeoutMs: 30_000, log: collectingLogger() });
  onTestFinished(() => picker.stop());
  const { url = "" } = await picker.listen({ port: 0, host });
  const port = Number(new URL(url).port);
  const transports = { http: httpTransport({}), grpc: grpcTransport({}) };
  const ask = (protocol: Protocol) =>
    transports[protocol].pickPods({
      target: { host, port, dial: { address: host, port }, tls: false, path: "/" },
      headers: [],
      question: { requested: 1, candidates: ["a", "b"] },
      leftMs: 30_000,
      signal: new AbortController().signal,
    });
  const open = async (sent: string) => {
    const socket = connect(port, host).on("error", () => undefined); // a reset is expected
    onTestFinished(() => void socket.destroy());
    await once(socket, "connect");
    if (sent !== "") await new Promise((resolve) => socket.resume().write(sent, resolve));
  };
  return { ask, open, asked, release: () => events.emit("released") };
}

test.for(
  (["http", "grpc"] as const).flatMap((protocol) => [
    { protocol, name: "say nothing", sent: "" },
    { protocol, name: "send half of a head", sent: "POST / HTTP/1.1\r\nHost: " },
    { protocol, name: "only begin HTTP/2", sent: "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" },
  ]),
)(
  "callers over $protocol are answered while others $name, before and after they ask",
  async ({ protocol, sent }) => {
    const { ask, open, asked, release } = await start();
    for (let index = 0; index < many; index++) await open(sent);
    const answer = ask(protocol);
    await asked;
    for (let index = 0; index < many; index++) await open(sent);
    release();
    expect(await answer).toMatchObject({ kind: "answered" });
  },
);
