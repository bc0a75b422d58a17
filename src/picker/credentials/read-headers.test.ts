import { expect, test } from "vitest";
import { secrets } from "../../api/resources.ts";
import { testApi } from "../../testing/test-api.ts";
import { permanentFailure } from "../picker-failure.ts";
import { readHeaders, secretsOfHeaders } from "./read-headers.ts";
import { readSecrets } from "./read-secrets.ts";
import { readTrust, secretsOfTrust } from "./read-trust.ts";

test.for([
  { name: "a header's Secret that does not exist", want: 'Secret "tokens" with key "token" does not exist' },
  { name: "a header's key that it lacks", data: { other: "" }, want: 'Secret "tokens" has no key "token"' },
])("$name is named", async ({ data, want: problem }) => {
  const { client, seed } = testApi();
  if (data !== undefined) seed(secrets, { metadata: { namespace: "shop", name: "tokens" }, data });
  const written = [{ name: "x-token", valueFrom: { secretKeyRef: { name: "tokens", key: "token" } } }];
  const { signal } = new AbortController();
  const found = await readSecrets(secretsOfHeaders(written), { client, namespace: "shop", signal });
  expect(readHeaders(written, found)).toEqual(permanentFailure("SecretMissing", { problem }));
});

test.for([
  {
    name: "a Secret of certificates that does not exist",
    want: 'Secret "certs" with key "tls.crt" does not exist',
  },
  {
    name: "the first key of certificates that it lacks",
    data: { "tls.crt": "" },
    want: 'Secret "certs" has no key "tls.key"',
  },
])("$name is named", async ({ data, want: problem }) => {
  const { client, seed } = testApi();
  if (data !== undefined) seed(secrets, { metadata: { namespace: "shop", name: "certs" }, data });
  const trust = { clientCertificate: "certs" };
  const { signal } = new AbortController();
  const found = await readSecrets(secretsOfTrust(trust), { client, namespace: "shop", signal });
  expect(readTrust(trust, found, undefined)).toEqual(permanentFailure("SecretMissing", { problem }));
});

test.for([
  { name: "as long as one may be", value: "ä".repeat(4096), sent: true },
  { name: "of fewer characters but more bytes than that", value: "ä".repeat(4097), sent: false },
  { name: "with a tab", value: "a\tb", sent: true },
  { name: "with another control character", value: "a\u0085b", sent: false },
])("a Secret's value $name goes by the rule for values that are written out", async ({ value, sent }) => {
  const { client, seed } = testApi();
  const data = { token: Buffer.from(value).toString("base64") };
  seed(secrets, { metadata: { namespace: "shop", name: "tokens" }, data });
  const written = [{ name: "x-token", valueFrom: { secretKeyRef: { name: "tokens", key: "token" } } }];
  const { signal } = new AbortController();
  const found = await readSecrets(secretsOfHeaders(written), { client, namespace: "shop", signal });
  expect(readHeaders(written, found)).toEqual(
    sent ? { kind: "headers", headers: [["x-token", value]] } : permanentFailure("InvalidHeader"),
  );
});
