import { expect, onTestFinished, test } from "vitest";
import {
  createCertificateAuthority,
  issueCertificate,
} from "../../src/machinery/certificates/certificate.ts";
import { WallClock } from "../../src/machinery/clock/wall-clock.ts";
import { seededRandom } from "../../src/machinery/random/random.ts";
import { check, findings, kitPicker } from "./checked-pickers.ts";
import { startGrpcPicker } from "./grpc-picker.ts";
import type { Behaviour } from "./scripted-picker.ts";

/** Mistakes of pickers over gRPC. */
const grpcMistakes: readonly {
  readonly name: string;
  readonly behaviour: Behaviour | ((candidates: readonly string[], call: number) => Behaviour);
  readonly row: string;
  readonly detail: string;
}[] = [
  {
    name: "refuses",
    behaviour: { does: "deny" },
    row: "answers",
    detail: "fail: it answered gRPC PERMISSION_DENIED",
  },
  {
    name: "resets the connection",
    behaviour: { does: "reset" },
    row: "answers",
    detail: "fail: there was no answer",
  },
  {
    name: "answers with two megabytes",
    behaviour: { does: "flood", bytes: 2 ** 21 },
    row: "shape",
    detail: "fail: the answer is malformed: more than 1 MiB",
  },
  {
    name: "names Pods in bytes that are not UTF-8",
    behaviour: { does: "garble" },
    row: "shape",
    detail: "fail: the answer is malformed: not valid UTF-8",
  },
  {
    name: "names other Pods",
    behaviour: { does: "answer", chosen: ["web-0"] },
    row: "only-candidates",
    detail: "names were not among the candidates",
  },
  {
    name: "names a Pod twice",
    behaviour: ([pod = ""]) => ({ does: "answer", tied: [pod, pod] }),
    row: "no-duplicates",
    detail: "names were more than once in the same list",
  },
  {
    name: "answers otherwise each time",
    behaviour: (pods, call) => ({ does: "answer", chosen: [pods[call % pods.length] ?? ""] }),
    row: "repeated",
    detail: "different answers",
  },
  {
    name: "fails for many Pods",
    behaviour: (pods) => (pods.length > 100 ? { does: "shed" } : { does: "answer", tied: pods }),
    row: "large",
    detail: "fail: 1000 Pods: it answered gRPC UNAVAILABLE",
  },
];

test.for(grpcMistakes)(
  "over gRPC the check of a picker that $name fails at $row",
  async ({ behaviour, row, detail }) => {
    const picker = await startGrpcPicker(({ candidates }, call) =>
      typeof behaviour === "function" ? behaviour(candidates, call) : behaviour,
    );
    onTestFinished(() => picker.close());
    expect(findings(await check(`grpc://127.0.0.1:${picker.port}`))[row]).toContain(detail);
  },
);

test("the kit passes every row of the check with mutual TLS, over HTTP and gRPC", async () => {
  const random = seededRandom("check");
  const now = new WallClock().now();
  const authority = createCertificateAuthority(now, random);
  const issue = (use: "server" | "client") =>
    issueCertificate(authority, {
      subject: { commonName: use },
      use,
      hosts: use === "server" ? ["localhost", "127.0.0.1"] : [],
      now,
      random,
    });
  const [server, client] = [issue("server"), issue("client")];
  const { picker, headers } = kitPicker();
  const { url = "", grpcUrl = "" } = await picker.listen({
    port: 0,
    host: "127.0.0.1",
    tls: { ...server, clientCa: authority.certificate },
  });
  const tls = { ca: authority.certificate, serverName: "localhost", ...client };
  expect(findings(await check(url, { headers, tls }))).toEqual({});
  expect(findings(await check(grpcUrl, { headers, tls }))).toEqual({});
});
