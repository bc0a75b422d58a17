import { expect, test } from "vitest";
import { secrets } from "../../api/resources.ts";
import { testApi } from "../../testing/test-api.ts";
import { permanentFailure } from "../picker-failure.ts";
import { readHeaders, secretsOfHeaders } from "./read-headers.ts";
import { readSecrets } from "./read-secrets.ts";

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
