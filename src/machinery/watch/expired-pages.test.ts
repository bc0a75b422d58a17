import { expect, onTestFinished, test } from "vitest";
import { configMaps } from "../../api/resources.ts";
import { collectingLogger } from "../../testing/collecting-logger.ts";
import { scriptedServer } from "../../testing/scripted-server.ts";
import { createCertificateAuthority, issueCertificate } from "../certificates/certificate.ts";
import { HttpsClient } from "../client/http/https-client.ts";
import { VirtualClock } from "../clock/virtual-clock.ts";
import { WallClock } from "../clock/wall-clock.ts";
import { Informer } from "../informer/informer.ts";
import { seededRandom } from "../random/random.ts";

const named = (name: string) => ({
  metadata: { name, namespace: "default", uid: name, resourceVersion: "5" },
});
const gone = {
  kind: "Status",
  status: "Failure",
  reason: "Expired",
  code: 410,
  message: "the token has expired",
};

const random = seededRandom("pages");
const now = new WallClock().now();
const authority = createCertificateAuthority(now, random);
const serving = issueCertificate(authority, {
  subject: { commonName: "server" },
  use: "server",
  hosts: ["127.0.0.1"],
  now,
  random,
});

test("a list that expires between two pages is begun anew without pages, and what the first page held is forgotten", async () => {
  const asked: string[] = [];
  const server = await scriptedServer(
    (request, response) => {
      const { searchParams: query } = new URL(request.url ?? "/", "https://server");
      const token = query.get("continue");
      const limit = query.get("limit");
      if (query.has("sendInitialEvents")) return void response.writeHead(422).end("{}");
      if (query.has("watch")) return void response.write("\n");
      asked.push(token === null ? `limit ${limit ?? "none"}` : "continue");
      if (token !== null) return void response.writeHead(410).end(JSON.stringify(gone));
      const isPaged = limit !== null;
      const metadata = { resourceVersion: "7", ...(isPaged && { continue: "next" }) };
      const items = isPaged ? [named("deleted-since")] : [named("a"), named("b")];
      return void response.end(JSON.stringify({ metadata, items }));
    },
    { cert: serving.certificate, key: serving.key },
  );
  const clock = new VirtualClock();
  const client = new HttpsClient({
    connection: {
      server: server.url,
      credential: { type: "none" },
      tls: { ca: authority.certificate, skipVerify: false },
      namespace: "default",
    },
    clock,
  });
  const informer = new Informer({ client, clock, log: collectingLogger(), random, resource: configMaps });
  const stop = new AbortController();
  const running = informer.run(stop.signal);
  onTestFinished(async () => {
    stop.abort(new Error("enough"));
    await running;
    await client.close();
    await server.close();
  });
  const { signal } = stop;
  const wire = { busy: true };
  void informer.synced(signal).then(() => (wire.busy = false));
  while (wire.busy) await clock.runWhile(() => wire.busy, clock.now() + 29_000);
  expect(informer.list().map(({ metadata }) => metadata.name)).toEqual(["a", "b"]);
  expect(asked).toEqual([expect.stringMatching(/^limit \d+$/), "continue", "limit none"]);
});
