import { pods } from "../../src/api/resources.ts";
import type { Client } from "../../src/machinery/client/client.ts";

const atATime = 50;

/** Gives Pods other metadata, such as labels. */
export async function changePods(
  client: Client,
  { namespace, names }: { readonly namespace: string; readonly names: readonly string[] },
  metadata: object,
): Promise<void> {
  const body = { metadata } as never;
  for (let from = 0; from < names.length; from += atATime)
    await Promise.all(
      names
        .slice(from, from + atATime)
        .map((name) => client.patch(pods, { namespace, name }, { type: "merge", body })),
    );
}
