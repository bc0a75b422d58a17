import { createPublicKey, type JsonWebKey, verify } from "node:crypto";
import { expect, test } from "vitest";
import type { JsonObject } from "../../../api/json.ts";
import { startHttpsTestApiServer } from "../http/https-fixture.contract.ts";

const configuration = "/.well-known/openid-configuration";
const json = (text: string) => JSON.parse(text) as JsonObject;

test("a token can be checked with the key that the issuer publishes", async () => {
  const { call, request, access } = await startHttpsTestApiServer();
  const token = "/api/v1/namespaces/default/serviceaccounts/default/token";
  const { status } = (await request(`POST ${token}`, {})).body as { status: { token: string } };
  const [head = "", claims = "", signature = ""] = status.token.split(".");
  const read = (part: string) => json(Buffer.from(part, "base64url").toString());

  const described = json((await call(`GET ${configuration}`)).text) as { issuer: string; jwks_uri: string };
  expect(described).toEqual({
    issuer: read(claims)["iss"],
    jwks_uri: `${access.url}/openid/v1/jwks`,
    response_types_supported: ["id_token"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: [read(head)["alg"]],
  });
  const published = await call(`GET ${new URL(described.jwks_uri).pathname}`);
  expect(published.headers["content-type"]).toBe("application/jwk-set+json");
  const { keys } = json(published.text) as { keys: readonly (JsonWebKey & { kid: string })[] };
  const key = keys.find(({ kid }) => kid === read(head)["kid"]);
  expect(key).not.toHaveProperty("d");
  const signed = Buffer.from(`${head}.${claims}`);
  const publicKey = createPublicKey({ key: key ?? {}, format: "jwk" });
  const options = { key: publicKey, dsaEncoding: "ieee-p1363" } as const;
  expect(verify("sha256", signed, options, Buffer.from(signature, "base64url"))).toBe(true);
});

test("only those whom a role lets read it are told how tokens are checked", async () => {
  const { call } = await startHttpsTestApiServer();
  const codes = await Promise.all(
    [configuration, "/openid/v1/jwks"].flatMap((path) => [
      call(`GET ${path}`, { headers: { "impersonate-user": "jane" } }),
      call(`GET ${path}`, { anonymous: true }),
    ]),
  );
  expect(codes.map(({ code }) => code)).toEqual([403, 401, 403, 401]);
});
