import { describe, expect, test } from "vitest";
import { parseSteeringConfig, readSteerSettings, steerFlags } from "./steer-settings.ts";

const head = "apiVersion: trimtab.dev/v1alpha1\nkind: SteeringConfiguration\n";

const laptop = { namespace: "home", isPod: false };

function problemsIn(text: string): readonly string[] {
  const parsed = parseSteeringConfig(text, laptop);
  return parsed.ok ? [] : parsed.problems;
}

describe("a SteeringConfiguration", () => {
  test("needs little", () => {
    expect(parseSteeringConfig(`${head}webhook: { service: { name: steer } }`, laptop)).toEqual({
      ok: true,
      config: {
        name: "trimtab-steer",
        namespace: "home",
        leftOut: ["kube-system", "home"],
        address: { kind: "service", namespace: "home", name: "steer", port: 443 },
        port: 9443,
        timeoutSeconds: 3,
        certificate: { kind: "secret", namespace: "home", name: "trimtab-steer-certificate" },
        mode: "enforce",
        machineCosts: ["karpenter.sh/managed-deletion-cost"],
        spread: [],
      },
    });
  });

  test("may name a URL, files and default constraints; built-in ones add nothing", () => {
    const parsed = parseSteeringConfig(
      `${head}
webhook:
  url: https://127.0.0.1:9443
  certificate: { files: { certificate: a.crt, key: a.key } }
defaultSpread:
- name: zones
  namespaceSelector: {}
  podTopologySpreadArgs:
    defaultingType: List
    defaultConstraints: [{ maxSkew: 1, topologyKey: zone, whenUnsatisfiable: ScheduleAnyway }]
- name: system
  namespaceSelector: {}
  podTopologySpreadArgs: { defaultingType: System }
`,
      laptop,
    );
    expect(parsed).toMatchObject({
      config: {
        address: { kind: "url", url: "https://127.0.0.1:9443" },
        certificate: { kind: "files", certificate: "a.crt", key: "a.key" },
        spread: [{ name: "zones", constraints: [{ maxSkew: 1, topologyKey: "zone" }] }],
      },
    });
  });

  test.for([
    { name: "from a laptop, none but kube-system", lines: "", home: laptop, leftOut: ["kube-system"] },
    {
      name: "in a Pod, that of the Pod",
      lines: "",
      home: { namespace: "home", isPod: true },
      leftOut: ["kube-system", "home"],
    },
    {
      name: "where the file names one, that one",
      lines: "namespace: ours",
      home: laptop,
      leftOut: ["kube-system", "ours"],
    },
    {
      name: "in kube-system itself, that one once",
      lines: "",
      home: { namespace: "kube-system", isPod: true },
      leftOut: ["kube-system"],
    },
  ])("leaves namespaces out: $name", ({ lines, home, leftOut }) => {
    const text = `${head}${lines}\nwebhook: { url: "https://127.0.0.1:9443" }`;
    expect(parseSteeringConfig(text, home)).toMatchObject({ config: { leftOut } });
  });

  test("may end its URL with a slash", () => {
    expect(parseSteeringConfig(`${head}webhook: { url: "https://127.0.0.1:9443/" }`, laptop)).toMatchObject({
      config: { address: { kind: "url", url: "https://127.0.0.1:9443" } },
    });
  });

  test("reports all of its mistakes", () => {
    const text = `
kind: Steering
webook: {}
name: Not A Name
webhook:
  url: http://127.0.0.1/path
  port: 70000
  timeoutSeconds: soon
  bind: everywhere
  certificate: { secret: a, files: {} }
defaultSpread:
- podTopologySpreadArgs: { defaultConstraints: [{ maxSkew: 0 }] }
`;
    expect(problemsIn(text)).toEqual([
      "the file:2:1: apiVersion: Required value: must be trimtab.dev/v1alpha1",
      'the file:2:7: kind: Unsupported value: "Steering": supported values: "SteeringConfiguration"',
      'the file:3:9: webook: Forbidden: unknown field; did you mean "webhook"?',
      expect.stringMatching(/^the file:4:7: name: Invalid value: "Not A Name": /),
      'the file:6:8: webhook.url: Invalid value: "http://127.0.0.1/path": must be https',
      "the file:7:9: webhook.port: Invalid value: 70000: must be a whole number from 0 to 65535",
      'the file:8:19: webhook.timeoutSeconds: Invalid value: "soon": must be a whole number from 2 to 30',
      'the file:9:9: webhook.bind: Invalid value: "everywhere": must be an IP address, such as 0.0.0.0 or ::',
      "the file:10:36: webhook.certificate.files.certificate: Required value: The file of the certificate",
      "the file:10:36: webhook.certificate.files.key: Required value: The file of its key",
      "the file:10:36: webhook.certificate.files: Forbidden: may not be there together with secret",
      expect.stringMatching(/^the file:12:3: defaultSpread\[0\]\.name: Required value: /),
      "the file:12:3: defaultSpread[0].namespaceSelector: Required value: an empty one selects every namespace",
      expect.stringContaining("defaultSpread[0].podTopologySpreadArgs.defaultingType: Invalid value"),
      expect.stringContaining("defaultConstraints[0].topologyKey: Required value"),
      expect.stringContaining("defaultConstraints[0].whenUnsatisfiable: Required value"),
      expect.stringContaining("defaultConstraints[0].maxSkew: Invalid value: 0"),
    ]);
  });

  test.each([
    ["", "the file:1:1: webhook: Required value: Where the webhooks are served"],
    ["- a", "the file: an object was expected, with kind SteeringConfiguration"],
    [`${head}webhook: {}`, "the file:3:10: webhook: Required value: needs one of service, url"],
    [
      `${head}webhook: { url: "https://a:1", service: { name: a } }`,
      "webhook.url: Forbidden: may not be there together with service",
    ],
    [
      `${head}webhook: { url: "https://a:1" }\ndefaultSpread: [{ name: a, namespaceSelector: {} }, { name: a }]`,
      'defaultSpread[1].name: Duplicate value: "a"',
    ],
    [`${head}webhook: { service: {} }`, "webhook.service.name: Required value"],
    [`${head}webhook: { url: nowhere }`, "webhook.url: Invalid value"],
    [`${head}webhook: { url: "https://a:1//" }`, "must have a host and a port, and nothing else"],
    [`${head}webhook: { url: "https://a:1?" }`, "must have a host and a port, and nothing else"],
    [`${head}webhook: { url: "https://me:secret@a:1" }`, "must have a host and a port, and nothing else"],
    [`${head}webhook: { url: "https://a:1/path" }`, "must have a host and a port, and nothing else"],
  ])("%j is refused", (text, sentence) => {
    expect(problemsIn(text).join("\n")).toContain(sentence);
  });
});

const defaults = Object.fromEntries(Object.entries(steerFlags).map(([name, flag]) => [name, flag.default]));

test("the flags of steer are enough for steer", () => {
  const flags = { ...defaults, config: "steering.yaml" };
  expect(readSteerSettings({ flags, arguments: [] })).toMatchObject({
    port: 10_281,
    config: "steering.yaml",
  });
});
