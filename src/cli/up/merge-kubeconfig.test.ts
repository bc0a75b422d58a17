import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { rootCertificates } from "node:tls";
import { expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { loadKubeconfig } from "../../machinery/client/connection/kubeconfig.ts";
import { mergeKubeconfig } from "./merge-kubeconfig.ts";

const values = { url: "https://127.0.0.1:6443", ca: rootCertificates[0] ?? "", token: "secret" };

const production = `# my clusters, do not touch
apiVersion: v1
kind: Config
current-context: production
clusters:
- name: production # the real one
  cluster:
    server: https://production.example
users:
- name: me
  user:
    exec: {apiVersion: client.authentication.k8s.io/v1, command: login, args: [--really, 'yes']}
contexts:
- name: production
  context: {cluster: production, user: me}
preferences: {}
`;

/** A kubeconfig of the user with this text; absent: none. */
function fileWith(text?: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), "trimtab-merge-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = path.join(folder, "config");
  if (text !== undefined) writeFileSync(file, text, { mode: 0o640 });
  return file;
}

const textIn = (file: string) => readFileSync(file, "utf8");
const contextsIn = (file: string) =>
  (parse(textIn(file)) as { contexts: { name: string }[] }).contexts.map(({ name }) => name);

test("a context is added beside the user's own, and everything is as before at the end", () => {
  const file = fileWith(production);
  chmodSync(file, 0o640);
  const remove = mergeKubeconfig(file, values);
  expect(loadKubeconfig({ paths: [file], context: "trimtab" })).toMatchObject({
    ok: true,
    connection: { server: values.url, credential: { type: "token", token: "secret" } },
  });
  expect(contextsIn(file)).toEqual(["production", "trimtab"]);
  expect(parse(textIn(file))).toMatchObject({
    "current-context": "production",
    users: [{ name: "me", user: { exec: { args: ["--really", "yes"] } } }, { name: "trimtab" }],
  });
  for (const line of production.split("\n")) expect(textIn(file)).toContain(line);
  expect(statSync(file).mode & 0o777).toBe(0o640);
  remove();
  expect(textIn(file)).toBe(production);
  expect(readdirSync(path.dirname(file))).toEqual(["config"]);
});

test("what the user changes meanwhile stays", () => {
  const file = fileWith(production);
  const remove = mergeKubeconfig(file, values);
  writeFileSync(
    file,
    textIn(file)
      .replace("current-context: production", "current-context: trimtab")
      .replace("preferences: {}", "preferences: {colors: true}"),
  );
  remove();
  expect(contextsIn(file)).toEqual(["production"]);
  expect(textIn(file)).toBe(production.replace("preferences: {}", "preferences: {colors: true}"));
});

test("a file that the user removes meanwhile is not made again", () => {
  const file = fileWith(production);
  const remove = mergeKubeconfig(file, values);
  rmSync(file);
  remove();
  expect(existsSync(file)).toBe(false);
});

test.for([
  { name: "is not there", text: undefined },
  { name: "is empty", text: "" },
])("a kubeconfig that $name is made, and is as before at the end", ({ text }) => {
  const file = fileWith(text);
  const remove = mergeKubeconfig(file, values);
  expect(loadKubeconfig({ paths: [file], context: "trimtab" }).ok).toBe(true);
  expect(statSync(file).mode & 0o077).toBe(text === undefined ? 0 : 0o040);
  remove();
  expect(existsSync(file) ? textIn(file) : undefined).toBe(text);
});

test("what an earlier run left is replaced, and a later run's is left to it", () => {
  const file = fileWith(production);
  const removeFirst = mergeKubeconfig(file, values);
  const removeSecond = mergeKubeconfig(file, { ...values, token: "newer" });
  expect(contextsIn(file)).toEqual(["production", "trimtab"]);
  removeFirst();
  expect(textIn(file)).toContain("newer");
  removeSecond();
  expect(contextsIn(file)).toEqual(["production"]);
});

test("a file that is a link is changed where it is, and stays a link", () => {
  const file = fileWith(production);
  const link = `${file}-link`;
  symlinkSync(file, link);
  const remove = mergeKubeconfig(link, values);
  expect(contextsIn(file)).toEqual(["production", "trimtab"]);
  remove();
  expect(textIn(file)).toBe(production);
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
});

const foreign = "clusters:\n- {name: trimtab, cluster: {server: https://trimtab.example}}\n";

test.for([
  { name: "is not YAML", text: "a: [b", says: "it is not YAML" },
  { name: "holds no object", text: "- a\n", says: "it is not a kubeconfig" },
  { name: "has something else where clusters are", text: "clusters: 7\n", says: "it is not a kubeconfig" },
  {
    name: "has a cluster of the same name elsewhere",
    text: foreign,
    says: 'another cluster is named "trimtab"',
  },
])("a kubeconfig that $name is left alone", ({ text, says }) => {
  const file = fileWith(text);
  expect(() => mergeKubeconfig(file, values)).toThrow(`cannot change the contexts in ${file}: ${says}`);
  expect(textIn(file)).toBe(text);
});

test("a kubeconfig that kubectl is writing is left alone", () => {
  const file = fileWith(production);
  writeFileSync(`${file}.lock`, "");
  expect(() => mergeKubeconfig(file, values)).toThrow(`another program is changing it (${file}.lock exists)`);
  expect(textIn(file)).toBe(production);
});
