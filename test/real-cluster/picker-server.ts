import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { onTestFinished } from "vitest";

/** What a pod picker is asked. */
export interface Asked {
  readonly candidate_pods: readonly string[];
  readonly number_of_pods_requested: number;
}

/** What it answers. */
export interface Picked {
  readonly chosen_pods: readonly string[];
  readonly tied_pods?: readonly string[];
}

/** Serves a pod picker for one test; returns the annotation by which a Deployment asks for it. */
export async function servePicker(
  pick: (asked: Asked) => Picked | Promise<Picked>,
): Promise<Readonly<Record<string, string>>> {
  const server = createServer((request, response) => {
    void json(request)
      .then((asked) => pick(asked as Asked))
      .then(
        (picked) => response.end(JSON.stringify(picked)),
        (error: unknown) => response.writeHead(500).end(String(error)),
      );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const picker = JSON.stringify({ http: { host: "127.0.0.1", port } });
  return { "trimtab.dev/downscale-pod-picker": picker };
}
