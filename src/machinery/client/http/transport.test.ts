import { createPublicKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { once } from "node:events";
import { createServer as createProxy, type ServerResponse } from "node:http";
import { createServer, type ServerOptions } from "node:https";
import { type AddressInfo, connect as netConnect, type Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { expect, onTestFinished, test } from "vitest";
import type { TlsSettings } from "../connection/connection.ts";
import { VirtualClock } from "../../clock/virtual-clock.ts";
import { Deadline } from "./deadline.ts";
import { poolTransport } from "./transport.ts";

// A certificate is few bytes; making them here needs no files that expire and no tool that may be missing.

const der = (tag: number, ...parts: readonly Uint8Array[]): Buffer => {
  const content = Buffer.concat(parts);
  const size = content.length;
  const length = size < 0x80 ? [size] : size < 0x100 ? [0x81, size] : [0x82, size >> 8, size & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
};
const sequence = (...parts: readonly Uint8Array[]) => der(0x30, ...parts);
const oid = (hex: string) => der(0x06, Buffer.from(hex, "hex"));
const text = (tag: number, value: string) => der(tag, Buffer.from(value));
const yes = der(0x01, Buffer.of(0xff));

const ecdsaWithSha256 = sequence(oid("2a8648ce3d040302"));
const validity = sequence(text(0x17, "200101000000Z"), text(0x17, "491231235959Z"));
const nameOf = (commonName: string) => sequence(der(0x31, sequence(oid("550403"), text(0x0c, commonName))));
const extension = (id: string, ...value: readonly Uint8Array[]) => sequence(oid(id), ...value);

interface Identity {
  readonly name: string;
  readonly key: KeyObject;
  readonly certificate: string;
}

function issue(name: string, issuer?: Identity): Identity {
  const { privateKey: key } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const extensions =
    issuer === undefined
      ? extension("551d13", yes, der(0x04, sequence(yes)))
      : extension("551d11", der(0x04, sequence(text(0x82, name))));
  const body = sequence(
    der(0xa0, der(0x02, Buffer.of(2))),
    der(0x02, Buffer.from(issuer === undefined ? [1] : [2])),
    ecdsaWithSha256,
    nameOf(issuer?.name ?? name),
    validity,
    nameOf(name),
    createPublicKey(key).export({ type: "spki", format: "der" }),
    der(0xa3, sequence(extensions)),
  );
  const signature = sign("sha256", body, issuer?.key ?? key);
  const whole = sequence(body, ecdsaWithSha256, der(0x03, Buffer.of(0), signature));
  const lines = whole.toString("base64").replace(/.{64}/g, "$&\n");
  return { name, key, certificate: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n` };
}

const pemOf = (key: KeyObject) => key.export({ type: "pkcs8", format: "pem" }).toString();

const authority = issue("the authority");
const stranger = issue("a stranger");
const server = issue("kubernetes", authority);
const jane = issue("jane", authority);

/** Starts a server; returns the way to send it a request. */
async function connect(tls: Partial<TlsSettings>, options: ServerOptions = {}, proxy?: string) {
  const listening = createServer(
    { key: pemOf(server.key), cert: server.certificate, ...options },
    (request, response) => {
      const socket = request.socket as TLSSocket;
      const name = socket.authorized ? String(socket.getPeerCertificate().subject.CN) : "anonymous";
      response.end(`hello ${name}`);
    },
  );
  listening.listen(0, "127.0.0.1");
  await once(listening, "listening");
  const { port } = listening.address() as AddressInfo;
  const transport = poolTransport(
    {
      server: `https://127.0.0.1:${port}`,
      credential: { type: "none" },
      tls: { skipVerify: false, ...tls },
      namespace: "default",
      proxy,
    },
    "test",
  );
  onTestFinished(async () => {
    await transport.close();
    listening.close();
    listening.closeAllConnections();
  });
  return async (): Promise<string> => {
    const deadline = new Deadline({ clock: new VirtualClock(), timeoutMs: 30_000, missed: "no answer" });
    const { text } = await transport.send({ method: "GET", path: "/" }, { identity: tls, deadline });
    return text;
  };
}

const ask = async (tls: Partial<TlsSettings>, options?: ServerOptions) => (await connect(tls, options))();

test("a server is trusted for its authority and its name", async () => {
  expect(await ask({ ca: authority.certificate, serverName: "kubernetes" })).toBe("hello anonymous");
});

test.for([
  {
    name: "another authority",
    tls: { ca: stranger.certificate, serverName: "kubernetes" },
    says: /certificate/,
  },
  { name: "no authority we know", tls: { serverName: "kubernetes" }, says: /certificate/ },
  { name: "another name", tls: { ca: authority.certificate }, says: /altnames/ },
])("a server with $name is not trusted", async ({ tls, says }) => {
  await expect(ask(tls)).rejects.toThrow(says);
});

test("unless verification is skipped", async () => {
  expect(await ask({ skipVerify: true })).toBe("hello anonymous");
});

test("a server with another name fails the requests that wait for a connection, too", async () => {
  const send = await connect({ ca: authority.certificate });
  const sent = await Promise.allSettled(Array.from({ length: 70 }, send));
  for (const { status } of sent) expect(status).toBe("rejected");
});

test("a client certificate says who we are", async () => {
  const tls = {
    ca: authority.certificate,
    serverName: "kubernetes",
    certificate: jane.certificate,
    key: pemOf(jane.key),
  };
  const options = { requestCert: true, ca: authority.certificate };
  expect(await ask(tls, options)).toBe("hello jane");
});

/** A server that answers when it is told to, and sends requests to it; the first connections may be reset. */
async function startHolding({ resets = 0 } = {}) {
  const held: ServerResponse[] = [];
  const open = new Set<Socket>();
  let accepted = 0;
  let most = 0;
  const listening = createServer(
    { key: pemOf(server.key), cert: server.certificate },
    (_request, response) => void held.push(response),
  );
  listening.on("connection", (socket: Socket) => {
    socket.on("error", () => undefined); // the reset
    if (accepted++ < resets) socket.resetAndDestroy();
    else open.add(socket.on("close", () => open.delete(socket)));
    most = Math.max(most, open.size);
  });
  listening.listen(0, "127.0.0.1");
  await once(listening, "listening");
  const { port } = listening.address() as AddressInfo;
  const connection = {
    server: `https://127.0.0.1:${port}`,
    credential: { type: "none" },
    tls: { skipVerify: true },
    namespace: "default",
  } as const;
  const transport = poolTransport(connection, "test");
  onTestFinished(async () => {
    await transport.close();
    listening.close();
    listening.closeAllConnections();
  });
  const clock = new VirtualClock();
  return {
    clock,
    held,
    mostConnections: () => most,
    send: (parent?: AbortSignal) => {
      const deadline = new Deadline({ clock, timeoutMs: 30_000, parent, missed: "no answer" });
      return transport.send({ method: "GET", path: "/" }, { identity: {}, deadline });
    },
    /** Resolves when the server has so many requests. */
    holds: async (count: number) => {
      while (held.length < count) await once(listening, "request");
    },
  };
}

const isAnswered = ({ status }: PromiseSettledResult<unknown>) => status === "fulfilled";

test("the time that a request waits for others does not count towards its own", async () => {
  const { clock, held, send, holds } = await startHolding();
  const sent = Promise.allSettled(Array.from({ length: 65 }, () => send()));
  await holds(64);
  await clock.advance(20_000);
  for (const response of held) response.end();
  await holds(65);
  await clock.advance(20_000);
  held.at(-1)?.end();
  expect((await sent).filter(isAnswered)).toHaveLength(65);
});

test("a request that waits for others ends when it is aborted, and leaves its place to the next", async () => {
  const { held, send, holds } = await startHolding();
  const first = Array.from({ length: 64 }, () => send());
  const aborting = new AbortController();
  const waiting = send(aborting.signal);
  const next = send();
  await holds(64);
  aborting.abort(new Error("not any more"));
  await expect(waiting).rejects.toThrow("not any more");
  for (const response of held) response.end();
  await Promise.all(first);
  await holds(65);
  held.at(-1)?.end();
  expect((await next).code).toBe(200);
  expect(held).toHaveLength(65);
});

test("there are no more than 64 connections after some were reset", async () => {
  const { held, send, holds, mostConnections } = await startHolding({ resets: 20 });
  const sendAll = () => Promise.allSettled(Array.from({ length: 100 }, () => send()));
  const before = sendAll();
  await holds(64);
  const after = sendAll();
  for (let index = 0; index < 180; index++) {
    await holds(index + 1);
    held[index]?.end();
  }
  expect([...(await before), ...(await after)].filter(isAnswered)).toHaveLength(180);
  expect(mostConnections()).toBe(64);
});

/** A proxy that counts its tunnels. */
async function startProxy() {
  const tunnels: Socket[] = [];
  const proxy = createProxy().on("connect", ({ url = "" }, socket: Socket) => {
    const to = netConnect(Number(url.split(":")[1]), "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      socket.pipe(to).pipe(socket);
    });
    for (const each of [socket, to]) each.on("error", () => to.destroy()); // the client ends them by closing
    tunnels.push(socket);
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  onTestFinished(() => {
    proxy.close();
    for (const socket of tunnels) socket.destroy();
  });
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, tunnels };
}

test("many requests at once share 64 connections through a proxy, too", async () => {
  const { url, tunnels } = await startProxy();
  const send = await connect({ ca: authority.certificate, serverName: "kubernetes" }, {}, url);
  const answers = await Promise.all(Array.from({ length: 70 }, send));
  expect(new Set(answers)).toEqual(new Set(["hello anonymous"]));
  expect(tunnels.length).toBeLessThanOrEqual(64);
});

test("a server with another name behind a proxy fails the requests that wait for a connection, too", async () => {
  const { url } = await startProxy();
  const send = await connect({ ca: authority.certificate }, {}, url);
  const sent = await Promise.allSettled(Array.from({ length: 70 }, send));
  for (const { status } of sent) expect(status).toBe("rejected");
});

test("a proxy that closes every connection fails a request, and is not asked again for it", async () => {
  let asked = 0;
  const proxy = createProxy().on("connect", (_request, socket: Socket) => {
    asked++;
    socket.destroy();
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  onTestFinished(() => void proxy.close());
  const { port } = proxy.address() as AddressInfo;
  const send = await connect({ ca: authority.certificate }, {}, `http://127.0.0.1:${port}`);
  await expect(send()).rejects.toThrow(/^GET \/: /);
  expect(asked).toBe(1);
});
