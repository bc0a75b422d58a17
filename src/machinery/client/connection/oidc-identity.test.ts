import { generateKeyPairSync, sign } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { pods } from "../../../api/resources.ts";
import { startConnectProxy } from "../../../testing/connect-proxy.ts";
import { scriptedServer } from "../../../testing/scripted-server.ts";
import { createCertificateAuthority, issueCertificate } from "../../certificates/certificate.ts";
import { VirtualClock } from "../../clock/virtual-clock.ts";
import { WallClock } from "../../clock/wall-clock.ts";
import { seededRandom } from "../../random/random.ts";
import { HttpsClient } from "../http/https-client.ts";
import { loadKubeconfig } from "./kubeconfig.ts";
import { oidcIdentity, type OidcProvider } from "./oidc-identity.ts";

const never = new AbortController().signal;
const hourMs = 3_600_000;
const now = new WallClock().now();
const authority = createCertificateAuthority(now, seededRandom("issuer"));
const serving = issueCertificate(authority, {
  subject: { commonName: "issuer" },
  use: "server",
  hosts: ["127.0.0.1", "issuer.corp.invalid"],
  now,
  random: seededRandom("serving"),
});
const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });

/** An id-token that expires some time from now. */
function idToken(id: string, lifetimeMs: number, issuer = "https://issuer"): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const iat = Math.floor(now / 1000);
  const claims = { iss: issuer, sub: id, aud: "trimtab", iat, exp: iat + lifetimeMs / 1000 };
  const signed = `${part({ alg: "ES256" })}.${part(claims)}`;
  const signature = sign("sha256", Buffer.from(signed), { key: privateKey, dsaEncoding: "ieee-p1363" });
  return `${signed}.${signature.toString("base64url")}`;
}

interface Grant {
  readonly form: Readonly<Record<string, string>>;
  readonly authorization: string | undefined;
}

interface Answer {
  readonly code?: number;
  readonly body: object;
}

/** An OpenID Connect issuer on loopback, over HTTPS, and the grants it was asked for. */
async function startIssuer(answer: (call: number, url: string) => Answer, discovery: object = {}) {
  const grants: Grant[] = [];
  const answerTo = async (request: IncomingMessage): Promise<Answer> => {
    if (request.url === "/.well-known/openid-configuration")
      return { body: { ...metadataOf(server.url), ...discovery } };
    grants.push(await grantIn(request));
    return answer(grants.length, server.url);
  };
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { code = 200, body } = await answerTo(request);
    response.writeHead(code, { "content-type": "application/json" }).end(JSON.stringify(body));
  };
  const server = await scriptedServer((request, response) => void respond(request, response), {
    cert: serving.certificate,
    key: serving.key,
  });
  onTestFinished(() => server.close());
  return { url: server.url, grants };
}

const metadataOf = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/keys`,
  response_types_supported: ["code"],
  subject_types_supported: ["public"],
  id_token_signing_alg_values_supported: ["ES256"],
});

async function grantIn(request: IncomingMessage): Promise<Grant> {
  const form = Object.fromEntries(new URLSearchParams(await text(request)));
  return { form, authorization: request.headers.authorization };
}

const granted = (tokens: object): Answer => ({
  body: { access_token: "access", token_type: "Bearer", expires_in: 3600, ...tokens },
});

const providerOf = (issuer: string, fields: Partial<OidcProvider> = {}): OidcProvider => ({
  issuer,
  clientId: "trimtab",
  clientSecret: undefined,
  idToken: idToken("old", -hourMs),
  refreshToken: "refresh-0",
  ca: authority.certificate,
  proxy: undefined,
  ...fields,
});

function identityWith(provider: OidcProvider, load?: () => Promise<never>) {
  const clock = new VirtualClock(now);
  const identity = oidcIdentity({ provider, own: { certificate: "own", key: "key" }, clock, load });
  const bearer = async () =>
    (await identity.current({ signal: never })).authorization?.replace(/^Bearer /, "");
  return { clock, identity, bearer };
}

/** Who an id-token is about. */
function subjectOf(token: string | undefined): unknown {
  const [, claims = ""] = (token ?? "").split(".");
  return JSON.parse(Buffer.from(claims, "base64url").toString()).sub;
}

test("an id-token that is valid is used as it is, together with the client certificate", async () => {
  const { url, grants } = await startIssuer(() => granted({}));
  const valid = idToken("valid", hourMs);
  const { identity } = identityWith(providerOf(url, { idToken: valid }));
  expect(await identity.current({ signal: never })).toEqual({
    certificate: "own",
    key: "key",
    authorization: `Bearer ${valid}`,
  });
  expect(grants).toEqual([]);
});

test("an id-token is replaced ten seconds before it expires, by the newest refresh-token", async () => {
  const { url, grants } = await startIssuer((call, issuer) =>
    granted({
      id_token: idToken(`new-${call}`, call * hourMs, issuer),
      // Tokens that are valid once, at first.
      ...(call === 1 && { refresh_token: "refresh-1" }),
    }),
  );
  const { clock, bearer } = identityWith(providerOf(url, { idToken: undefined }));
  const both = await Promise.all([bearer(), bearer()]);
  expect(both.map(subjectOf)).toEqual(["new-1", "new-1"]);
  await clock.advance(hourMs - 12_000);
  expect(subjectOf(await bearer())).toBe("new-1");
  await clock.advance(2_000);
  expect(subjectOf(await bearer())).toBe("new-2");
  await clock.advance(hourMs);
  expect(subjectOf(await bearer())).toBe("new-3");
  expect(grants.map(({ form }) => form)).toEqual(
    ["refresh-0", "refresh-1", "refresh-1"].map((token) => ({
      client_id: "trimtab",
      grant_type: "refresh_token",
      refresh_token: token,
    })),
  );
});

test.for([
  { methods: undefined, inHeader: true },
  { methods: ["client_secret_post", "client_secret_basic"], inHeader: true },
  { methods: ["client_secret_post"], inHeader: false },
])("an issuer that accepts $methods gets the secret of the client so", async ({ methods, inHeader }) => {
  const { url, grants } = await startIssuer(
    (_, issuer) => granted({ id_token: idToken("new", hourMs, issuer) }),
    { token_endpoint_auth_methods_supported: methods },
  );
  await identityWith(providerOf(url, { clientSecret: "shh" })).bearer();
  const basic = `Basic ${Buffer.from("trimtab:shh").toString("base64")}`;
  expect(grants.map(({ form, authorization }) => [authorization, form["client_secret"]])).toEqual([
    inHeader ? [basic, undefined] : [undefined, "shh"],
  ]);
});

test("an issuer that only a proxy can reach is reached", async () => {
  const issuer = "https://issuer.corp.invalid";
  const { url } = await startIssuer(
    () => granted({ id_token: idToken("new", hourMs, issuer) }),
    metadataOf(issuer),
  );
  const proxy = await startConnectProxy(url);
  onTestFinished(() => proxy.close());
  expect(subjectOf(await identityWith(providerOf(issuer, { proxy: proxy.url })).bearer())).toBe("new");
  expect(new Set(proxy.asked)).toEqual(new Set(["issuer.corp.invalid:443"]));
});

test.for<{ name: string; answer: Answer; says: RegExp; provider?: Partial<OidcProvider> }>([
  {
    name: "refuses the refresh-token",
    answer: { code: 400, body: { error: "invalid_grant", error_description: "session not active" } },
    says: /: it refused the refresh-token \(invalid_grant: session not active\); log in again$/,
  },
  {
    name: "has no id-token",
    answer: granted({}),
    says: /: its answer to the refresh-token has no id_token$/,
  },
  {
    name: "answers with a token of another issuer",
    answer: granted({ id_token: idToken("other", hourMs) }),
    says: /: unexpected JWT claim value encountered: /,
  },
  { name: "fails", answer: { code: 500, body: {} }, says: /: unexpected HTTP response status code$/ },
  {
    name: "has a certificate of an unknown authority",
    answer: granted({}),
    provider: { ca: undefined },
    says: /: fetch failed: unable to verify the first certificate/,
  },
  {
    name: "is not there",
    answer: granted({}),
    provider: { issuer: "https://127.0.0.1:2" },
    says: /: fetch failed: .*ECONNREFUSED/,
  },
])("an issuer that $name is a sentence", async ({ answer, says, provider }) => {
  const { url } = await startIssuer(() => answer);
  const { bearer } = identityWith(providerOf(url, provider));
  const problem = await bearer().catch((error: unknown) => (error instanceof Error ? error.message : ""));
  expect(problem).toMatch(/^the OpenID Connect issuer https:\/\/127\.0\.0\.1:\d+: /);
  expect(problem).toMatch(says);
  expect(problem).not.toContain("refresh-0");
});

test("an issuer that refuses is asked again after ten seconds, not with every request", async () => {
  const { url, grants } = await startIssuer((call, issuer) =>
    call === 1
      ? { code: 400, body: { error: "temporarily_unavailable" } }
      : granted({ id_token: idToken("new", hourMs, issuer) }),
  );
  const { clock, bearer } = identityWith(providerOf(url));
  await expect(bearer()).rejects.toThrow("temporarily_unavailable");
  await clock.advance(9_999);
  await expect(bearer()).rejects.toThrow("temporarily_unavailable");
  expect(grants).toHaveLength(1);
  await clock.advance(1);
  expect(subjectOf(await bearer())).toBe("new");
});

test("without a refresh-token an id-token serves until it expires, without the package", async () => {
  const provider = providerOf("https://issuer", {
    idToken: idToken("only", hourMs),
    refreshToken: undefined,
  });
  const load = () => Promise.reject(new Error("not to be loaded"));
  const { clock, bearer } = identityWith(provider, load);
  expect(subjectOf(await bearer())).toBe("only");
  await clock.advance(hourMs);
  await expect(bearer()).rejects.toThrow(
    "the id-token of the OpenID Connect issuer https://issuer has expired, and the kubeconfig has no refresh-token: log in again",
  );
});

test("without a refresh-token an id-token is kept although an API server refuses it, which may accept it later", async () => {
  const provider = providerOf("https://issuer", {
    idToken: idToken("only", hourMs),
    refreshToken: undefined,
  });
  const { identity, bearer } = identityWith(provider);
  expect(identity.refused(await identity.current({ signal: never }))).toBe(false);
  expect(subjectOf(await bearer())).toBe("only");
});

test("a missing package is named at once, not when the id-token expires", async () => {
  const missing = Object.assign(new Error("Cannot find package 'openid-client' imported from x"), {
    code: "ERR_MODULE_NOT_FOUND",
  });
  const provider = providerOf("https://issuer", { idToken: idToken("valid", hourMs) });
  await expect(identityWith(provider, () => Promise.reject(missing)).bearer()).rejects.toThrow(
    "the auth-provider oidc of the kubeconfig needs the package openid-client, which is not installed: npm install openid-client",
  );
  const broken = new Error("broken");
  await expect(identityWith(provider, () => Promise.reject(broken)).bearer()).rejects.toBe(broken);
});

test("a request whose id-token the API server refuses is sent again with a new one, as the kubeconfig's user", async () => {
  const issuer = await startIssuer((_, url) => granted({ id_token: idToken("new", hourMs, url) }));
  const api = await scriptedServer(({ headers }, response) => {
    const subject = subjectOf(headers.authorization);
    const refusal = { kind: "Status", code: 401, message: "Unauthorized" };
    const list = { items: [], metadata: { resourceVersion: String(subject) } };
    response.writeHead(subject === "new" ? 200 : 401).end(JSON.stringify(subject === "new" ? list : refusal));
  });
  const kubeconfig = {
    "current-context": "c",
    contexts: [{ name: "c", context: { cluster: "c", user: "u" } }],
    clusters: [{ name: "c", cluster: { server: api.url } }],
    users: [
      {
        name: "u",
        user: {
          "auth-provider": {
            name: "oidc",
            config: {
              "client-id": "trimtab",
              "client-secret": "shh",
              "id-token": idToken("revoked", hourMs),
              "refresh-token": "refresh-0",
              "idp-issuer-url": issuer.url,
              "idp-certificate-authority-data": Buffer.from(authority.certificate).toString("base64"),
            },
          },
        },
      },
    ],
  };
  const loaded = loadKubeconfig({
    paths: ["/config"],
    readFile: () => ({ ok: true, text: JSON.stringify(kubeconfig) }),
  });
  if (!loaded.ok) throw new Error(loaded.errors.join("\n"));
  const client = new HttpsClient({ connection: loaded.connection, clock: new WallClock() });
  onTestFinished(async () => {
    await client.close();
    await api.close();
  });
  expect(await client.list(pods, {})).toMatchObject({ resourceVersion: "new" });
  expect(api.calls()).toBe(2);
  expect(issuer.grants).toHaveLength(1);
});
