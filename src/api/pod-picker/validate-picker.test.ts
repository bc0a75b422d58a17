import { describe, expect, test } from "vitest";
import { formatFieldError } from "../field-error.ts";
import type {
  DownscalePodPicker,
  GRPCPodPicker,
  HTTPPodPicker,
  PodPickerHeader,
} from "../generated/apps-v1.ts";
import type { Sent } from "../sent.ts";
import { pickerDefaults, pickerWarnings } from "./pod-picker.ts";
import { validatePicker } from "./validate-picker.ts";

const http = { host: "picker.games.svc", port: 8080 };
const problems = (picker: Sent<DownscalePodPicker>) => validatePicker(picker, "p").map(formatFieldError);
const label =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const subdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const ip = "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)";

test.for<{ name: string; picker: Sent<DownscalePodPicker>; want: string[] }>([
  { name: "a host and a port", picker: { http }, want: [] },
  { name: "gRPC", picker: { grpc: http }, want: [] },
  { name: "nothing", picker: {}, want: ["p: Required value: must specify one of: http, grpc"] },
  {
    name: "two protocols",
    picker: { http, grpc: http },
    want: ["p: Forbidden: may not specify more than one protocol"],
  },
  { name: "the most it may", picker: { http, maxRetries: 10, timeoutSeconds: 30 }, want: [] },
  {
    name: "too many retries",
    picker: { http, maxRetries: 11 },
    want: ["p.maxRetries: Invalid value: 11: must be between 0 and 10"],
  },
  {
    name: "too few retries",
    picker: { http, maxRetries: -1 },
    want: ["p.maxRetries: Invalid value: -1: must be between 0 and 10"],
  },
  {
    name: "no time",
    picker: { http, timeoutSeconds: 0 },
    want: ["p.timeoutSeconds: Invalid value: 0: must be between 1 and 30"],
  },
  {
    name: "too much time",
    picker: { http, timeoutSeconds: 31 },
    want: ["p.timeoutSeconds: Invalid value: 31: must be between 1 and 30"],
  },
])("a picker with $name is told what is wrong", ({ picker, want }) => {
  expect(problems(picker)).toEqual(want);
});

test.for<{ name: string; change: Sent<HTTPPodPicker>; want: string[] }>([
  { name: "a Service", change: { host: "picker" }, want: [] },
  { name: "an IPv4 address", change: { host: "10.0.0.1" }, want: [] },
  { name: "an IPv6 address", change: { host: "fd00::1" }, want: [] },
  { name: "no host", change: { host: "" }, want: ["p.http.host: Required value"] },
  {
    name: "a URL",
    change: { host: "http://x" },
    want: [`p.http.host: Invalid value: "http://x": ${subdomain}`],
  },
  {
    name: "a host with a port",
    change: { host: "x:80" },
    want: [`p.http.host: Invalid value: "x:80": ${subdomain}`],
  },
  {
    name: "an address in brackets",
    change: { host: "[fd00::1]" },
    want: [`p.http.host: Invalid value: "[fd00::1]": ${subdomain}`],
  },
  {
    name: "what is nearly an address",
    change: { host: "10.0.0.256" },
    want: [`p.http.host: Invalid value: "10.0.0.256": ${ip}`],
  },
  { name: "a user", change: { host: "a@b" }, want: [`p.http.host: Invalid value: "a@b": ${subdomain}`] },
  { name: "a port by name", change: { port: "web" }, want: [] },
  { name: "an empty port", change: { port: "" }, want: ["p.http.port: Required value"] },
  {
    name: "port 0",
    change: { port: 0 },
    want: ["p.http.port: Invalid value: 0: must be between 1 and 65535, inclusive"],
  },
  {
    name: "a port in quotes",
    change: { port: "18080" },
    want: ['p.http.port: Invalid value: "18080": must be a number: write 18080'],
  },
  {
    name: "a port in quotes that is out of range",
    change: { port: "99999" },
    want: ["p.http.port: Invalid value: 99999: must be between 1 and 65535, inclusive"],
  },
  {
    name: "a port out of range",
    change: { port: 65536 },
    want: ["p.http.port: Invalid value: 65536: must be between 1 and 65535, inclusive"],
  },
  {
    name: "a name no port can have",
    change: { port: "Web" },
    want: [`p.http.port: Invalid value: "Web": ${label}`],
  },
  { name: "a path with a query", change: { path: "/pick?a=b" }, want: [] },
  {
    name: "a relative path",
    change: { path: "pick" },
    want: ["p.http.path: Invalid value: \"pick\": must start with '/'"],
  },
  {
    name: "a path with a space",
    change: { path: "/a b" },
    want: ["p.http.path: Invalid value: \"/a b\": must not contain spaces, control characters or '#'"],
  },
  {
    name: "a path with a line break",
    change: { path: "/a\nb" },
    want: ["p.http.path: Invalid value: \"/a\\nb\": must not contain spaces, control characters or '#'"],
  },
  {
    name: "an endless path",
    change: { path: `/${"a".repeat(1024)}` },
    want: ["p.http.path: Too long: may not be more than 1024 bytes"],
  },
  { name: "a scheme in any case", change: { scheme: "https" }, want: [] },
  {
    name: "an unknown scheme",
    change: { scheme: "FTP" },
    want: ['p.http.scheme: Unsupported value: "FTP": supported values: "HTTP", "HTTPS"'],
  },
])("an HTTP picker with $name is told what is wrong", ({ change, want }) => {
  expect(problems({ http: { ...http, ...change } })).toEqual(want);
});

describe("TLS", () => {
  const https = { http: { ...http, scheme: "https" } };
  test.for<{ name: string; picker: Sent<DownscalePodPicker>; want: string[] }>([
    {
      name: "may have a CA, a client certificate and a name",
      picker: {
        ...https,
        tls: {
          caSecretRef: { name: "picker-ca", key: "bundle.pem" },
          clientCertificateSecretRef: { name: "controller" },
          serverName: "picker.internal",
        },
      },
      want: [],
    },
    { name: "goes with gRPC", picker: { grpc: http, tls: { serverName: "picker" } }, want: [] },
    { name: "may be empty", picker: { ...https, tls: {} }, want: [] },
    {
      name: "needs HTTPS",
      picker: { http, tls: {} },
      want: ["p.tls: Forbidden: may only be set with the scheme HTTPS"],
    },
    {
      name: "needs the TLS of gRPC",
      picker: { grpc: { ...http, tls: false }, tls: {} },
      want: ["p.tls: Forbidden: may not be set when grpc.tls is false"],
    },
    {
      name: "needs the names of Secrets",
      picker: { ...https, tls: { caSecretRef: { key: "ca.crt" }, clientCertificateSecretRef: {} } },
      want: [
        "p.tls.caSecretRef.name: Required value",
        "p.tls.clientCertificateSecretRef.name: Required value",
      ],
    },
    {
      name: "needs a good name",
      picker: { ...https, tls: { serverName: "10.0.0.1:443" } },
      want: [`p.tls.serverName: Invalid value: "10.0.0.1:443": ${subdomain}`],
    },
  ])("$name", ({ picker, want }) => {
    expect(problems(picker)).toEqual(want);
  });

  test("reads the CA from ca.crt by default", () => {
    expect(pickerDefaults({ ...https, tls: { caSecretRef: { name: "picker-ca" } } })).toMatchObject({
      tls: { caSecretRef: { name: "picker-ca", key: "ca.crt" } },
    });
  });
});

describe("a header", () => {
  const at = "p.http.httpHeaders[0]";
  const secret = { secretKeyRef: { name: "s", key: "token" } };
  test.for<{ name: string; header: Sent<PodPickerHeader>; want: string[] }>([
    { name: "has a value", header: { name: "X-Pool", value: "a\tb" }, want: [] },
    { name: "may be empty", header: { name: "X-Pool" }, want: [] },
    { name: "may come from a Secret", header: { name: "Authorization", valueFrom: secret }, want: [] },
    { name: "needs a name", header: { value: "a" }, want: [`${at}.name: Required value`] },
    {
      name: "needs a good name",
      header: { name: "a b" },
      want: [
        `${at}.name: Invalid value: "a b": a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')`,
      ],
    },
    {
      name: "is not the request's own",
      header: { name: "Content-Length" },
      want: [`${at}.name: Forbidden: may not be set for a pod picker`],
    },
    {
      name: "is not a proxy's",
      header: { name: "Proxy-Authorization" },
      want: [`${at}.name: Forbidden: may not be set for a pod picker`],
    },
    {
      name: "breaks no line",
      header: { name: "X", value: "a\r\nb" },
      want: [`${at}.value: Invalid value: "a\\r\\nb": must not contain control characters`],
    },
    {
      name: "is not endless",
      header: { name: "X", value: "a".repeat(8193) },
      want: [`${at}.value: Too long: may not be more than 8192 bytes`],
    },
    {
      name: "has one value",
      header: { name: "X", value: "a", valueFrom: secret },
      want: [`${at}.valueFrom: Invalid value: "": may not be specified when value is not empty`],
    },
    {
      name: "comes from somewhere",
      header: { name: "X", valueFrom: {} },
      want: [`${at}.valueFrom.secretKeyRef: Required value`],
    },
    {
      name: "comes from a Secret with a name",
      header: { name: "X", valueFrom: { secretKeyRef: { name: "", key: "k" } } },
      want: [`${at}.valueFrom.secretKeyRef.name: Invalid value: "": ${subdomain}`],
    },
    {
      name: "comes from a key",
      header: { name: "X", valueFrom: { secretKeyRef: { name: "s" } } },
      want: [`${at}.valueFrom.secretKeyRef.key: Required value`],
    },
    {
      name: "comes from no other directory",
      header: { name: "X", valueFrom: { secretKeyRef: { name: "s", key: ".." } } },
      want: [`${at}.valueFrom.secretKeyRef.key: Invalid value: "..": must not be '..'`],
    },
  ])("$name", ({ header, want }) => {
    expect(problems({ http: { ...http, httpHeaders: [header] } })).toEqual(want);
  });

  test("is one of at most 32, and may be repeated", () => {
    const headers = (count: number) => Array.from({ length: count }, () => ({ name: "X" }));
    expect(problems({ http: { ...http, httpHeaders: headers(32) } })).toEqual([]);
    expect(problems({ http: { ...http, httpHeaders: headers(33) } })).toEqual([
      "p.http.httpHeaders: Too many: 33: must have at most 32 items",
    ]);
  });

  test.for(["grpc-timeout", "Trace-Bin", "Host"])("%s is none of gRPC's metadata", (name) => {
    const grpc: Sent<GRPCPodPicker> = { ...http, metadata: [{ name }] };
    expect(problems({ grpc })).toEqual([
      "p.grpc.metadata[0].name: Forbidden: may not be set for a pod picker",
    ]);
  });
});

describe("the defaults of a picker", () => {
  test("are plain HTTP at the root", () => {
    expect(pickerDefaults({ http })).toEqual({
      http: { ...http, path: "/", scheme: "HTTP" },
      maxRetries: 3,
      timeoutSeconds: 1,
    });
  });
  test("are gRPC with TLS", () => {
    expect(pickerDefaults({ grpc: http, maxRetries: 0 })).toEqual({
      grpc: { ...http, tls: true },
      maxRetries: 0,
      timeoutSeconds: 1,
    });
  });
});

describe("a warning", () => {
  const httpHeaders = [{ name: "A", valueFrom: { secretKeyRef: { name: "s", key: "k" } } }];
  test.for<{ name: string; picker: Sent<DownscalePodPicker>; want: string[] }>([
    {
      name: "goes to who sends secrets in the clear",
      picker: { http: { ...http, scheme: "http", httpHeaders } },
      want: ["p.http: values from Secrets are sent unencrypted; use scheme HTTPS"],
    },
    { name: "is not for HTTPS", picker: { http: { ...http, scheme: "https", httpHeaders } }, want: [] },
    {
      name: "is not for what is no secret",
      picker: { http: { ...http, httpHeaders: [{ name: "A", value: "b" }] } },
      want: [],
    },
    {
      name: "goes to gRPC without TLS, too",
      picker: { grpc: { ...http, tls: false, metadata: httpHeaders } },
      want: ["p.grpc: values from Secrets are sent unencrypted; use tls"],
    },
  ])("$name", ({ picker, want }) => {
    expect(pickerWarnings(picker, "p")).toEqual(want);
  });
});
