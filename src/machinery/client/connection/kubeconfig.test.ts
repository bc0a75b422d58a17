import path from "node:path";
import { expect, test } from "vitest";
import { inClusterConnection, isInCluster } from "./in-cluster.ts";
import { kubeconfigPaths, loadKubeconfig } from "./kubeconfig.ts";
import type { ReadTextFile } from "./text-file.ts";

const pem = (what: string) => `-----BEGIN ${what}-----\n`;
const base64 = (text: string) => Buffer.from(text).toString("base64");

const filesOf =
  (files: Readonly<Record<string, string>>): ReadTextFile =>
  (path) => {
    const text = files[path];
    if (text === undefined) return { ok: false, missing: true, reason: "no such file" };
    if (text === "forbidden") return { ok: false, missing: false, reason: "permission denied" };
    return { ok: true, text };
  };

interface Parts {
  readonly cluster?: string;
  readonly user?: string;
  readonly context?: string;
}

const kubeconfig = ({ cluster = "", user = "", context = "" }: Parts) => `
apiVersion: v1
kind: Config
current-context: here
contexts: [{ name: here, context: { cluster: c, user: u, ${context} } }, { name: bare, context: { cluster: c } }]
clusters: [{ name: c, cluster: { server: "https://api:6443/", ${cluster} } }]
users: [{ name: u, user: { ${user} } }]
`;

const load = (text: string, options: { files?: Readonly<Record<string, string>>; context?: string } = {}) =>
  loadKubeconfig({
    paths: ["/home/.kube/config"],
    context: options.context,
    readFile: filesOf({ "/home/.kube/config": text, ...options.files }),
  });

const plain = {
  server: "https://api:6443",
  credential: { type: "none" },
  tls: { skipVerify: false },
  namespace: "default",
};

test.for([
  { name: "needs no more than a server", config: {}, want: {} },
  {
    name: "a token",
    config: { user: "token: secret" },
    want: { credential: { type: "token", token: "secret" } },
  },
  {
    name: "a token file, from the kubeconfig's folder, before a token",
    config: { user: "token: old, tokenFile: sub/token" },
    want: { credential: { type: "token-file", path: "/home/.kube/sub/token" } },
  },
  {
    name: "a token, before an auth provider",
    config: { user: "token: secret, auth-provider: {name: gcp}" },
    want: { credential: { type: "token", token: "secret" } },
  },
  {
    name: "an OpenID Connect user",
    config: {
      user: `auth-provider: {name: oidc, config: {client-id: me, client-secret: shh, id-token: i, refresh-token: r,
        idp-issuer-url: "https://issuer/realm", idp-certificate-authority-data: ${base64(pem("CA"))}}}`,
    },
    want: {
      credential: {
        type: "oidc",
        provider: {
          issuer: "https://issuer/realm",
          clientId: "me",
          clientSecret: "shh",
          idToken: "i",
          refreshToken: "r",
          ca: pem("CA"),
        },
      },
    },
  },
  { name: "a namespace", config: { context: "namespace: games" }, want: { namespace: "games" } },
  {
    name: "inline certificates before files",
    config: {
      cluster: `certificate-authority-data: ${base64(pem("CA"))}, certificate-authority: nowhere`,
      user: `client-certificate-data: ${base64(pem("CERT"))}, client-key-data: ${base64(pem("KEY"))}`,
    },
    want: { tls: { ca: pem("CA"), certificate: pem("CERT"), key: pem("KEY"), skipVerify: false } },
  },
  {
    name: "certificates in files, relative and absolute",
    config: {
      cluster: "certificate-authority: ca.crt",
      user: "client-certificate: /pki/c, client-key: ../k",
    },
    files: { "/home/.kube/ca.crt": pem("CA"), "/pki/c": pem("CERT"), "/home/k": pem("KEY") },
    want: {
      tls: {
        ca: pem("CA"),
        certificate: pem("CERT"),
        key: pem("KEY"),
        files: { certificate: "/pki/c", key: "/home/k" },
        skipVerify: false,
      },
    },
  },
  {
    name: "a name and a password",
    config: { user: "username: jane, password: secret" },
    want: { credential: { type: "basic", username: "jane", password: "secret" } },
  },
  {
    name: "a proxy",
    config: { cluster: "proxy-url: http://jump:3128" },
    want: { proxy: "http://jump:3128" },
  },
  {
    name: "somebody to act as",
    config: {
      user: 'as: jane, as-uid: "1", as-groups: [a, b], as-user-extra: {"Scopes/x": [read]}',
    },
    want: {
      impersonation: {
        "impersonate-user": "jane",
        "impersonate-uid": "1",
        "impersonate-group": ["a", "b"],
        "impersonate-extra-scopes%2fx": ["read"],
      },
    },
  },
  {
    name: "a plugin that is searched for, and told nothing of the cluster",
    config: {
      user: "exec: {apiVersion: client.authentication.k8s.io/v1beta1, command: aws, args: [eks, token]}",
    },
    want: {
      credential: {
        type: "exec",
        plugin: {
          apiVersion: "client.authentication.k8s.io/v1beta1",
          command: "aws",
          args: ["eks", "token"],
          env: {},
        },
      },
    },
  },
  {
    name: "a plugin beside the kubeconfig that is told of the cluster",
    config: {
      cluster:
        "tls-server-name: kubernetes, extensions: [{name: client.authentication.k8s.io/exec, extension: {audience: x}}]",
      user: `exec: {apiVersion: client.authentication.k8s.io/v1, command: bin/login, interactiveMode: Never,
        provideClusterInfo: true, installHint: get it, env: [{name: REGION, value: here}]}`,
    },
    want: {
      tls: { serverName: "kubernetes", skipVerify: false },
      credential: {
        type: "exec",
        plugin: {
          apiVersion: "client.authentication.k8s.io/v1",
          command: "/home/.kube/bin/login",
          args: [],
          env: { REGION: "here" },
          installHint: "get it",
          cluster: {
            server: "https://api:6443/",
            "tls-server-name": "kubernetes",
            config: { audience: "x" },
          },
        },
      },
    },
  },
  {
    name: "a server name and no verification",
    config: { cluster: "tls-server-name: kubernetes, insecure-skip-tls-verify: true" },
    want: { tls: { serverName: "kubernetes", skipVerify: true } },
  },
])("a kubeconfig can carry $name", ({ config, files, want }) => {
  expect(load(kubeconfig(config), files === undefined ? {} : { files })).toEqual({
    ok: true,
    connection: { ...plain, ...want },
  });
});

test("a named context is taken before the current one, and may do without a user", () => {
  expect(load(kubeconfig({ user: "token: secret" }), { context: "bare" })).toEqual({
    ok: true,
    connection: plain,
  });
});

test.for([
  {
    name: "YAML that is none",
    text: "a: [",
    errors: [/^kubeconfig \/home\/.kube\/config: is not YAML: .*line 1/],
  },
  {
    name: "a list",
    text: "[]",
    errors: ["kubeconfig /home/.kube/config: is not a kubeconfig: it holds no object"],
  },
  { name: "an empty file", text: "", errors: [/holds no object/] },
  {
    name: "no current context",
    text: kubeconfig({}).replace("current-context: here", ""),
    errors: ["the kubeconfig does not have a current-context (its contexts: here, bare)"],
  },
  {
    name: "no contexts",
    text: "current-context: here",
    errors: ['the kubeconfig does not have a context "here" (its contexts: none)'],
  },
  {
    name: "a cluster and a user that are not there",
    text: "current-context: x\ncontexts: [{name: x, context: {cluster: c, user: u}}]",
    errors: [
      'cluster "c", which context "x" names, is not in the kubeconfig',
      'user "u", which context "x" names, is not in the kubeconfig',
    ],
  },
  {
    name: "a context without a cluster",
    text: "current-context: x\ncontexts: [{name: x}]",
    errors: ['context "x" names no cluster'],
  },
  {
    name: "an address that is none",
    text: kubeconfig({}).replace("https://api:6443/", "ftp://api"),
    errors: ['cluster "c": server "ftp://api" is not an http or https address'],
  },
  {
    name: "a plugin nobody can run",
    text: kubeconfig({ user: "exec: {apiVersion: v0, interactiveMode: Always}" }),
    errors: [
      'user "u": exec: it has no command',
      'user "u": exec: apiVersion "v0" is not one of client.authentication.k8s.io/v1, client.authentication.k8s.io/v1beta1',
      'user "u": exec: interactiveMode Always needs a terminal',
    ],
  },
  {
    name: "an auth provider of former times",
    text: kubeconfig({ user: "auth-provider: {name: gcp}" }),
    errors: ['user "u": auth-provider gcp is not supported; use an exec plugin, as kubectl does since 1.26'],
  },
  {
    name: "an OpenID Connect user that nothing is known of",
    text: kubeconfig({ user: "auth-provider: {name: oidc}" }),
    errors: [
      'user "u": auth-provider oidc: it has no idp-issuer-url',
      'user "u": auth-provider oidc: it has no client-id',
      'user "u": auth-provider oidc: it has neither an id-token nor a refresh-token: log in first',
    ],
  },
  {
    name: "an OpenID Connect issuer without TLS, and its authority not there",
    text: kubeconfig({
      user: `auth-provider: {name: oidc, config: {client-id: me, id-token: t,
        idp-issuer-url: "http://issuer", idp-certificate-authority: gone}}`,
    }),
    errors: [
      'user "u": auth-provider oidc: idp-issuer-url "http://issuer" is not an https address',
      'user "u": auth-provider oidc: idp-certificate-authority gone: no such file',
    ],
  },
  {
    name: "a SOCKS proxy",
    text: kubeconfig({ cluster: 'proxy-url: "socks5://jump:1080"' }),
    errors: ['cluster "c": proxy-url is a SOCKS proxy, which is not supported'],
  },
  {
    name: "a proxy that is none",
    text: kubeconfig({ cluster: "proxy-url: jump" }),
    errors: ['cluster "c": proxy-url is not a URL'],
  },
  {
    name: "certificates that are not there or none",
    text: kubeconfig({
      cluster: "certificate-authority: gone",
      user: "client-certificate-data: AAAA, client-key: /junk",
    }),
    errors: [
      'cluster "c": certificate-authority gone: no such file',
      'user "u": client-certificate-data is not a PEM in base64',
      'user "u": client-key /junk is not a PEM',
    ],
  },
  {
    name: "half a client certificate",
    text: kubeconfig({ user: `client-key-data: ${base64(pem("KEY"))}` }),
    errors: ['user "u": client-certificate and client-key go together'],
  },
])("a kubeconfig with $name is refused in sentences", ({ text, errors }) => {
  const result = load(text, { files: { "/junk": "junk" } });
  expect(result).toEqual({
    ok: false,
    errors: errors.map((error) => (typeof error === "string" ? error : expect.stringMatching(error))),
  });
});

test("a broken kubeconfig is not quoted, for it may hold a token", () => {
  const result = load("users: [{user: {token: hunter2");
  expect(result.ok).toBe(false);
  expect(JSON.stringify(result)).not.toContain("hunter2");
});

test("of several files the first to name something counts, and a missing one is passed over", () => {
  const readFile = filesOf({
    "/a/config": "current-context: two\ncontexts: [{name: one, context: {cluster: c}}]",
    "/b/config": `current-context: one
contexts: [{name: one, context: {cluster: other}}, {name: two, context: {cluster: c}}]
clusters: [{name: c, cluster: {server: "host:80", certificate-authority: ca}}]`,
    "/b/ca": pem("CA"),
  });
  expect(loadKubeconfig({ paths: ["/a/config", "/gone", "/b/config"], readFile })).toMatchObject({
    ok: true,
    connection: { server: "http://host:80", tls: { ca: pem("CA") } },
  });
});

test.for([
  { name: "missing", paths: ["/gone", "/gone too"], error: "kubeconfig /gone, /gone too: no such file" },
  { name: "unreadable", paths: ["/locked", "/gone"], error: "kubeconfig /locked: permission denied" },
])("kubeconfig files that are $name are a sentence", ({ paths, error }) => {
  expect(loadKubeconfig({ paths, readFile: filesOf({ "/locked": "forbidden" }) })).toEqual({
    ok: false,
    errors: [error],
  });
});

test("a real disk says what is wrong with a path", () => {
  expect(loadKubeconfig({ paths: ["/no/such/file"] })).toEqual({
    ok: false,
    errors: ["kubeconfig /no/such/file: no such file"],
  });
  expect(loadKubeconfig({ paths: ["/"] })).toEqual({ ok: false, errors: ["kubeconfig /: is a directory"] });
});

test.each([
  { on: "posix", env: { HOME: "/home/me" }, files: ["/home/me/.kube/config"] },
  { on: "posix", env: { HOME: "/home/me", KUBECONFIG: "/a::/b" }, files: ["/a", "/b"] },
  { on: "posix", env: { HOME: "/home/me", USERPROFILE: "/other" }, files: ["/home/me/.kube/config"] },
  { on: "win32", env: { USERPROFILE: "C:\\Users\\me" }, files: ["C:\\Users\\me\\.kube\\config"] },
  { on: "win32", env: { HOME: "D:\\me", USERPROFILE: "C:\\me" }, files: ["D:\\me\\.kube\\config"] },
  { on: "win32", env: { KUBECONFIG: "C:\\a.yaml;D:/b.yaml;" }, files: ["C:\\a.yaml", "D:/b.yaml"] },
] as const)("finds the files kubectl would read with $on paths and $env", ({ on, env, files }) => {
  expect(kubeconfigPaths(env, path[on])).toEqual(files);
});

const mounted = {
  "/var/run/secrets/kubernetes.io/serviceaccount/ca.crt": pem("CA"),
  "/var/run/secrets/kubernetes.io/serviceaccount/token": "t",
  "/var/run/secrets/kubernetes.io/serviceaccount/namespace": "games\n",
};

test("in a Pod the service account says how to connect", () => {
  const env = { KUBERNETES_SERVICE_HOST: "fd00::1", KUBERNETES_SERVICE_PORT: "443" };
  expect(inClusterConnection({ env, readFile: filesOf(mounted) })).toEqual({
    ok: true,
    connection: {
      server: "https://[fd00::1]:443",
      credential: { type: "token-file", path: "/var/run/secrets/kubernetes.io/serviceaccount/token" },
      tls: { ca: pem("CA"), skipVerify: false },
      namespace: "games",
    },
  });
});

test("the connection of a Pod is told from one with a token of another file", () => {
  const path = "/var/run/secrets/kubernetes.io/serviceaccount/token";
  expect(isInCluster({ credential: { type: "token-file", path } })).toBe(true);
  expect(isInCluster({ credential: { type: "token-file", path: "/home/me/token" } })).toBe(false);
  expect(isInCluster({ credential: { type: "none" } })).toBe(false);
});

test("outside a Pod there is no in-cluster connection", () => {
  const result = inClusterConnection({ env: {}, readFile: filesOf({}) });
  expect(result.ok).toBe(false);
  expect(result).toMatchObject({
    errors: [expect.stringMatching(/^not in a cluster: /), expect.anything(), expect.anything()],
  });
});
