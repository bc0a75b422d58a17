import { createServer } from "node:net";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { WallClock } from "../../src/machinery/clock/wall-clock.ts";
import { check, findings, type Handle, kitPicker, startPicker } from "./checked-pickers.ts";
import { startHttpServer } from "./http-picker.ts";

const clock = new WallClock();
const first = (pods: readonly string[], count: number) => pods.toSorted().slice(0, count);

const right: Handle = ({ pods, requested }) => ({ chosen_pods: first(pods, requested), tied_pods: [] });

/** Mistakes of pickers over HTTP, and the row that finds each. */
const mistakes: readonly {
  readonly name: string;
  readonly handle: Handle;
  readonly row: string;
  readonly detail: string;
  readonly limitMs?: number;
}[] = [
  {
    name: "answers with 201",
    handle: ({ response }) => void response.writeHead(201).end("{}"),
    row: "answers",
    detail: "fail: it answered HTTP 201",
  },
  {
    name: "redirects",
    handle: ({ response }) => void response.writeHead(307, { location: "/pick" }).end(),
    row: "answers",
    detail: "fail: it answered HTTP 307, and redirects are not followed",
  },
  {
    name: "breaks the connection",
    handle: ({ response }) => void response.destroy(),
    row: "answers",
    detail: "fail: there was no answer: socket hang up",
  },
  {
    name: "answers with a list",
    handle: ({ pods }) => pods,
    row: "shape",
    detail: "fail: the answer is malformed: not an object",
  },
  {
    name: "spells the lists in another way",
    handle: ({ pods }) => ({ chosenPods: pods }),
    row: "shape",
    detail: "fail: the answer is malformed: neither chosen_pods nor tied_pods",
  },
  {
    name: "answers with objects instead of names",
    handle: ({ pods }) => ({ chosen_pods: pods.map((name) => ({ name })) }),
    row: "shape",
    detail: "fail: the answer is malformed: chosen_pods is not a list of names",
  },
  {
    name: "compresses",
    handle: ({ response }) => void response.setHeader("content-encoding", "gzip").end("…"),
    row: "shape",
    detail: "fail: the answer is malformed: it has the content encoding gzip",
  },
  {
    name: "answers with two megabytes",
    handle: ({ pods }) => ({ chosen_pods: pods, debug: "x".repeat(2 ** 21) }),
    row: "shape",
    detail: "fail: the answer is malformed: more than 1 MiB",
  },
  {
    name: "says that it answers with HTML",
    handle: ({ response, pods, requested }) =>
      void response
        .setHeader("content-type", "text/html")
        .end(JSON.stringify({ chosen_pods: first(pods, requested) })),
    row: "content-type",
    detail: "warn: it says text/html; the controller reads the answer as JSON all the same",
  },
  {
    name: "names Pods that were not asked about",
    handle: () => ({ chosen_pods: ["web-0"], tied_pods: ["web-1"] }),
    row: "only-candidates",
    detail: "fail: 30 names were not among the candidates",
  },
  {
    name: "names the namespace, too",
    handle: ({ pods }) => ({ chosen_pods: pods.map((name) => `default/${name}`) }),
    row: "only-candidates",
    detail: "names were not among the candidates",
  },
  {
    name: "names a Pod twice",
    handle: ({ pods: [pod] }) => ({ chosen_pods: [pod, pod] }),
    row: "no-duplicates",
    detail: "fail: 27 names were more than once in the same list",
  },
  {
    name: "chooses and ties a Pod",
    handle: ({ pods: [pod] }) => ({ chosen_pods: [pod], tied_pods: [pod] }),
    row: "one-list",
    detail: "warn: 27 names were in both lists, and count as chosen",
  },
  {
    name: "chooses a Pod that it protects, and not another",
    handle: ({ pods: [pod] }) => ({ chosen_pods: [pod], protected_pods: [pod] }),
    row: "protected-or-chosen",
    detail: "answers name Pods in both, and protection counts",
  },
  {
    name: "chooses all Pods, whatever is asked",
    handle: ({ pods }) => ({ chosen_pods: pods }),
    row: "number",
    detail: "answers chose more: the normal order decides among the chosen Pods",
  },
  {
    name: "never names a Pod",
    handle: () => ({ chosen_pods: [], tied_pods: [] }),
    row: "names-pods",
    detail: "warn: no answer named a candidate",
  },
  {
    name: "throws for Pods it does not know",
    handle: ({ response, ...asked }) =>
      asked.pods.some((pod) => pod.includes("-new-"))
        ? void response.writeHead(500).end()
        : right({ response, ...asked }),
    row: "unknown-pods",
    detail: "fail: it answered HTTP 500",
  },
  {
    name: "looks names up in an object",
    handle: (asked) => {
      const tasks: Record<string, unknown> = {};
      const isWrong = asked.pods.some((pod) => typeof tasks[pod] === "function");
      return isWrong ? void asked.response.writeHead(500).end() : right(asked);
    },
    row: "odd-names",
    detail: "fail: it answered HTTP 500",
  },
  {
    name: "refuses what it does not expect",
    handle: (asked) =>
      asked.body.includes("later_version") ? void asked.response.writeHead(400).end() : right(asked),
    row: "unknown-members",
    detail: "fail: it answered HTTP 400",
  },
  {
    name: "fails for a hundred Pods",
    handle: (asked) => (asked.pods.length > 100 ? void asked.response.writeHead(413).end() : right(asked)),
    row: "large",
    detail: "fail: 1000 Pods: it answered HTTP 413",
  },
  {
    name: "fails for one of two Pods",
    handle: (asked) => (asked.pods.length === 2 ? void asked.response.writeHead(500).end() : right(asked)),
    row: "one-of-two",
    detail: "fail: it answered HTTP 500",
  },
  {
    name: "refuses to give all Pods but one",
    handle: (asked) =>
      asked.requested === 3 && asked.pods.length === 4
        ? void asked.response.writeHead(409).end()
        : right(asked),
    row: "all-but-one",
    detail: "fail: it answered HTTP 409",
  },
  {
    name: "marks the Pods it has named",
    handle: ({ pods, call }) => ({ chosen_pods: [pods[call % pods.length]] }),
    row: "repeated",
    detail: "different answers: does asking change something?",
  },
  {
    name: "takes the first candidates",
    handle: ({ pods, requested }) => ({ chosen_pods: pods.slice(0, requested) }),
    row: "order",
    detail: "warn: in another order the same candidates had another answer",
  },
  {
    name: "fails without candidates",
    handle: (asked) => (asked.pods.length === 0 ? void asked.response.writeHead(500).end() : right(asked)),
    row: "no-candidates",
    detail: "warn: it answered HTTP 500",
  },
  {
    name: "fails when asked for more than there is",
    handle: (asked) =>
      asked.pods.length > 0 && asked.requested > asked.pods.length
        ? void asked.response.destroy()
        : right(asked),
    row: "more-than-there-are",
    detail: "warn: there was no answer: socket hang up",
  },
  {
    name: "takes longer than the limit",
    handle: async (asked) => {
      if (asked.call === 2) await clock.sleep(60);
      return right(asked);
    },
    limitMs: 50,
    row: "in-time",
    detail: "fail: the slowest, of ",
  },
  {
    name: "answers one question at a time",
    handle: (() => {
      let busy = 0;
      return async (asked) => {
        busy += 1;
        await clock.sleep(20); // so that the others arrive meanwhile
        const isAlone = busy === 1;
        busy -= 1;
        return isAlone ? right(asked) : void asked.response.writeHead(503).end();
      };
    })(),
    row: "concurrent",
    detail: "of 10: it answered HTTP 503",
  },
];

test.for(mistakes)(
  "the check of a picker that $name fails at $row",
  async ({ handle, row, detail, limitMs }) => {
    const found = findings(
      await check(await startPicker(handle), { ...(limitMs !== undefined && { limitMs }) }),
    );
    expect(found[row]).toContain(detail);
  },
);

test("a picker without mistakes passes all rows, with one warning: it has no authentication", async () => {
  expect(Object.keys(findings(await check(await startPicker(right))))).toEqual(["authentication"]);
});

test("a token that leaves this machine in plain text is warned of, and one that stays is not said to be sent over TLS", async () => {
  const { picker, headers } = kitPicker();
  const { url = "" } = await picker.listen({ httpPort: 0, host: "127.0.0.1" });
  const elsewhere = await check(url, { headers, isPrivate: false });
  expect(findings(elsewhere)).toEqual({ encryption: "warn: the token is sent in plain text" });
  const here = await check(url, { headers });
  expect(here.find(({ name }) => name === "encryption")).toMatchObject({
    verdict: { kind: "pass" },
    promise: "Tokens are sent over TLS, or do not leave this machine.",
  });
});

test("a picker that closes the connection on what is no question is still asked questions", async () => {
  const handle: Handle = (asked) =>
    asked.requested >= 1 && asked.requested < asked.pods.length
      ? right(asked)
      : void asked.response.destroy();
  const found = findings(await check(await startPicker(handle)));
  expect(Object.values(found).join()).not.toContain("does not respond any more");
  expect(found["survives"]).toBeUndefined();
});

const question = { chosen_pods: ["web-1"] };

test.for([
  { name: "answers GET", handle: () => question, row: "method", detail: "warn: GET is answered with Pods" },
  {
    name: "answers nonsense",
    handle: () => question,
    row: "nonsense",
    detail: "warn: it is answered like a question",
  },
  {
    name: "answers wrong types",
    handle: () => question,
    row: "wrong-types",
    detail: "warn: it is answered like",
  },
])("the check of a picker that $name warns at $row", async ({ row, detail }) => {
  const server = await startHttpServer((request, response) => {
    request.resume().on("end", () => response.end(JSON.stringify(question)));
  });
  onTestFinished(() => server.close());
  expect(findings(await check(`http://127.0.0.1:${server.port}/`))[row]).toContain(detail);
});

test("a picker that another content type breaks has a warning", async () => {
  const handle: Handle = (asked) =>
    asked.request.headers["content-type"] === "text/plain"
      ? void asked.response.writeHead(500).end()
      : right(asked);
  expect(findings(await check(await startPicker(handle)))["wrong-content-type"]).toBe(
    "warn: it answered HTTP 500",
  );
});

test("a picker that does not look at the token fails", async () => {
  const url = await startPicker(right);
  const headers = [["authorization", "Bearer sesame"]] as const;
  expect(findings(await check(url, { headers }))).toEqual({
    authentication: "fail: it answers callers that show neither token nor certificate",
  });
});

test("a picker that ends over nonsense does not survive", async () => {
  const server = await startHttpServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      if (!body.endsWith("}")) void server.close();
      else response.end(JSON.stringify({ chosen_pods: [], tied_pods: [] }));
    });
  });
  const found = findings(await check(`http://127.0.0.1:${server.port}/`));
  expect(found["nonsense"]).toContain("warn: there was no answer");
  expect(found["survives"]).toContain("fail: there was no answer");
});

test("a picker that ends when a caller leaves does not survive", async () => {
  const server = await startHttpServer((request, response) => {
    request.on("error", () => void server.close()); // as an error does that no code catches
    request.on("end", () => response.end(JSON.stringify({ chosen_pods: [], tied_pods: [] }))).resume();
  });
  const found = findings(await check(`http://127.0.0.1:${server.port}/`));
  expect(found["survives"]).toContain("fail: there was no answer");
});

test("a picker that is not there fails at the first row, and nothing else is tried", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  for (const scheme of ["http", "grpc"]) {
    const [answers, ...others] = await check(`${scheme}://127.0.0.1:${port}`);
    expect(answers?.verdict).toMatchObject({ kind: "fail" });
    expect(others).toEqual([]);
  }
});

test("the kit passes every row of the check, over HTTP and gRPC", async () => {
  const { picker, headers } = kitPicker();
  const { url = "", grpcUrl = "" } = await picker.listen({ port: 0, host: "127.0.0.1" });
  expect(findings(await check(url, { headers }))).toEqual({});
  expect(findings(await check(grpcUrl, { headers }))).toEqual({});
});
