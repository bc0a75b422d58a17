import { expect, onTestFinished, test } from "vitest";
import { pods } from "../../../api/resources.ts";
import { startConnectProxy } from "../../../testing/connect-proxy.ts";
import { scriptedServer } from "../../../testing/scripted-server.ts";
import { createCertificateAuthority, issueCertificate } from "../../certificates/certificate.ts";
import { WallClock } from "../../clock/wall-clock.ts";
import { seededRandom } from "../../random/random.ts";
import { HttpsClient } from "../http/https-client.ts";
import { proxyFromEnvironment } from "./proxy.ts";

const proxy = "http://jump:3128";

test.for([
  { name: "the environment names it", server: "https://api:6443", env: {}, want: proxy },
  {
    name: "it is named in lower case",
    server: "https://api",
    env: { HTTPS_PROXY: "", https_proxy: proxy },
    want: proxy,
  },
  {
    name: "it is named without a scheme",
    server: "https://api",
    env: { HTTPS_PROXY: "jump:3128" },
    want: proxy,
  },
  { name: "it is for HTTPS alone", server: "http://api", env: {}, want: undefined },
  { name: "it is for HTTP", server: "http://api", env: { HTTP_PROXY: "http://other" }, want: "http://other" },
  { name: "the server is this machine", server: "https://127.0.0.1:6443", env: {}, want: undefined },
  { name: "the server is localhost", server: "https://localhost:6443", env: {}, want: undefined },
  { name: "all hosts are excepted", server: "https://api", env: { NO_PROXY: "*" }, want: undefined },
  {
    name: "the host is excepted",
    server: "https://api.corp",
    env: { NO_PROXY: "x, API.corp" },
    want: undefined,
  },
  { name: "the domain is excepted", server: "https://a.b.corp", env: { no_proxy: "corp" }, want: undefined },
  { name: "another domain is excepted", server: "https://acorp", env: { NO_PROXY: "corp" }, want: proxy },
  {
    name: "its subdomains are excepted",
    server: "https://a.corp",
    env: { NO_PROXY: ".corp" },
    want: undefined,
  },
  {
    name: "only its subdomains are excepted",
    server: "https://corp",
    env: { NO_PROXY: ".corp" },
    want: proxy,
  },
  {
    name: "the address is excepted",
    server: "https://10.0.0.1",
    env: { NO_PROXY: "10.0.0.1" },
    want: undefined,
  },
  {
    name: "the network is excepted",
    server: "https://10.0.0.1",
    env: { NO_PROXY: "10.0.0.0/8" },
    want: undefined,
  },
  {
    name: "another network is excepted",
    server: "https://11.0.0.1",
    env: { NO_PROXY: "10.0.0.0/8" },
    want: proxy,
  },
  {
    name: "an IPv6 network is excepted",
    server: "https://[fd00::1]",
    env: { NO_PROXY: "fd00::/8" },
    want: undefined,
  },
  {
    name: "a network makes no sense",
    server: "https://10.0.0.1",
    env: { NO_PROXY: "10.0.0.0/99,/,a/b" },
    want: proxy,
  },
  {
    name: "the port is excepted",
    server: "https://api:6443",
    env: { NO_PROXY: "api:6443" },
    want: undefined,
  },
  { name: "another port is excepted", server: "https://api:6443", env: { NO_PROXY: "api:443" }, want: proxy },
])("a proxy is used as kubectl would where $name", ({ server, env, want }) => {
  expect(proxyFromEnvironment(server, { HTTPS_PROXY: proxy, ...env })).toBe(want);
});

test("a server that only a proxy can reach is reached, and its certificate is checked against its own name", async () => {
  const clock = new WallClock();
  const random = seededRandom("proxy");
  const now = clock.now();
  const authority = createCertificateAuthority(now, random);
  const subject = { commonName: "server" };
  const serving = issueCertificate(authority, {
    subject,
    use: "server",
    hosts: ["api.corp.invalid"],
    now,
    random,
  });
  const server = await scriptedServer((_, response) => response.end('{"items":[]}'), {
    cert: serving.certificate,
    key: serving.key,
  });
  onTestFinished(() => server.close());
  const proxy = await startConnectProxy(server.url);
  onTestFinished(() => proxy.close());
  const list = async (address: string) => {
    const client = new HttpsClient({
      connection: {
        server: address,
        credential: { type: "none" },
        tls: { ca: authority.certificate, skipVerify: false },
        namespace: "default",
        proxy: proxy.url.replace("//", "//jane:secret@"),
      },
      clock,
    });
    onTestFinished(() => client.close());
    return client.list(pods, {});
  };
  expect(await list("https://api.corp.invalid:6443")).toMatchObject({ items: [] });
  expect(proxy.asked).toEqual([
    `api.corp.invalid:6443 Basic ${Buffer.from("jane:secret").toString("base64")}`,
  ]);
  await expect(list("https://other.corp.invalid:6443")).rejects.toThrow(/altnames|certificate/);
});
