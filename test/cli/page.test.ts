import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { request } from "undici";
import { folderWith, type, typed, up } from "./type-command.ts";

const linkIn = (text: string) => /http:\/\/127\.0\.0\.1:\d+\/open\?link=[0-9a-f]{64}/.exec(text)?.[0] ?? "";

/** What a page says about its cluster to a browser that opens the link, and the cookie of that browser. */
async function openedBy(link: string) {
  const opened = await request(link);
  await opened.body.dump();
  const cookie = String(opened.headers["set-cookie"]).split(";")[0] ?? "";
  const headers = { cookie };
  const asked = await request(new URL("/cluster.json", link), { headers });
  return { headers, facts: (await asked.body.json()) as Record<string, unknown> };
}

const factsBehind = async (link: string) => (await openedBy(link)).facts;

describe("the page of trimtab up", () => {
  test("is opened through the link that is printed, and may change the cluster", async () => {
    const { out } = await up();
    expect(await factsBehind(linkIn(out.join("\n")))).toMatchObject({
      mode: "embedded",
      name: "trimtab",
      version: expect.stringContaining("-trimtab.") as string,
      writes: true,
      records: ["decisions", "placements"],
      removalProfile: "trimtab",
      time: { speed: 1, paused: false },
      schedulerProfiles: [{ schedulerName: "default-scheduler" }],
    });
  });

  test("is opened through a new link that trimtab page asks for", async () => {
    const { kubeconfig, out } = await up();
    const asked = await typed("page", `--kubeconfig=${kubeconfig}`);
    expect([asked.code, asked.err]).toEqual([0, ""]);
    const first = linkIn(out.join("\n"));
    expect(new URL(asked.out).origin).toBe(new URL(first).origin);
    expect(asked.out).not.toBe(first);
    expect(await factsBehind(asked.out)).toMatchObject({ mode: "embedded" });
  });

  test("is not served with --no-page, and then trimtab page serves one that only reads", async () => {
    const { kubeconfig, out } = await up({}, "--no-page");
    expect(linkIn(out.join("\n"))).toBe("");
    const page = type("page", `--kubeconfig=${kubeconfig}`);
    await page.ready;
    const facts = await factsBehind(linkIn(page.out.join("\n")));
    expect(facts).toMatchObject({ mode: "other", writes: false, removalProfile: "trimtab" });
    page.interrupt();
    expect(await page.code).toBe(0);
  });

  test("is not for users who may do little: they get one that only reads, with their own rights", async () => {
    const { kubeconfig } = await up();
    const text = readFileSync(kubeconfig, "utf8");
    const folder = folderWith({ jane: text.replace(/^( *)(token: .*)$/m, "$1$2\n$1as: jane") });
    const page = type("page", `--kubeconfig=${folder}/jane`);
    await page.ready;
    const link = linkIn(page.out.join("\n"));
    const { headers, facts } = await openedBy(link);
    expect(facts).toMatchObject({ mode: "other", writes: false });
    const asked = await request(new URL("/api/v1/pods", link), { headers });
    expect([asked.statusCode, await asked.body.json()]).toMatchObject([
      403,
      { message: expect.stringContaining('User "jane" cannot list resource "pods"') as string },
    ]);
    page.interrupt();
    expect(await page.code).toBe(0);
  });

  test("is where it is told to be, if that port is free", async () => {
    const { out } = await up();
    const port = new URL(linkIn(out.join("\n"))).port;
    const kubeconfig = `${folderWith()}/kubeconfig`;
    const { code, err } = await typed("up", "--port=0", `--kubeconfig=${kubeconfig}`, `--page-port=${port}`);
    expect([code, err]).toEqual([1, `trimtab up: cannot listen on port ${port} of 127.0.0.1: it is in use`]);
  });
});

const nowhere = "--kubeconfig=/nonexistent";

test.for([
  [["up", "--page-port=x"], "trimtab up: --page-port must be a number from 0 to 65535"],
  [["page", "--as=me", nowhere], "trimtab page: --as must be one of trimtab, kubernetes-1.36"],
  [["page", "--port=-1", nowhere], "trimtab page: --port must be a number from 0 to 65535"],
  [["page", nowhere], "trimtab page: kubeconfig /nonexistent: no such file"],
  [["page", "--feature-gates=X=true", nowhere], "trimtab page: unrecognized feature gate: X"],
] as const)("trimtab %s is an error", async ([words, message]) => {
  const { code, err } = await typed(...words);
  expect(code).toBe(1);
  expect(err).toContain(message);
});
