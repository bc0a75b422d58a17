import { execFileSync, spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "./compiled.ts";
import { startServer } from "./server-under-test.ts";

const configMaps = "/api/v1/namespaces/default/configmaps";
const object = (name: string) => ({ metadata: { name }, data: { text: "x".repeat(5000) } });
const canLimit = spawnSync("prlimit", ["--version"]).status === 0;

// A limit of file sizes stands for a disk: it is reached in the middle of a write, and can be lifted.
test.skipIf(!canLimit)(
  "with a full disk writes get 507, reads go on, and when there is room everything acknowledged is there",
  { timeout: 60_000 },
  async () => {
    const folder = temporaryFolder();
    const server = await startServer(folder);
    const limit = (bytes: number | "unlimited") =>
      execFileSync("prlimit", ["--pid", String(server.pid), `--fsize=${bytes}:unlimited`]);
    const acknowledged: string[] = [];
    let count = 0;
    const create = async () => {
      const name = `object-${count++}`;
      const answer = await server.send("POST", configMaps, object(name));
      if (answer.code === 201) acknowledged.push(name);
      return answer;
    };
    const createUntil = async (code: number) => {
      let answer = await create();
      while (answer.code !== code) answer = await create();
      return answer;
    };

    await createUntil(201);
    limit(statSync(path.join(folder, "store/data.mdb")).size + 100_000);
    const refused = await createUntil(507);
    expect(refused.body).toMatchObject({
      kind: "Status",
      reason: "InsufficientStorage",
      message: expect.stringContaining("the disk of the data directory is full") as string,
    });
    expect(server.errors()).toBe(""); // no stack of the library: the answer says what there is to know
    const first = acknowledged[0] ?? "";
    expect(await server.send("GET", `${configMaps}/${first}`)).toMatchObject({ code: 200 });
    expect(await server.send("DELETE", `${configMaps}/${first}`)).toMatchObject({ code: 507 });
    expect(await server.send("GET", configMaps)).toMatchObject({ code: 200 });

    limit("unlimited");
    await createUntil(201);
    await server.kill();
    const next = await startServer(folder);
    const { body } = await next.send("GET", configMaps);
    const names = (body["items"] as { metadata: { name: string } }[]).map(({ metadata }) => metadata.name);
    expect(names).toEqual(expect.arrayContaining(acknowledged));
    await next.kill();
  },
);
