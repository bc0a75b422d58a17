import { describe, expect, test } from "vitest";
import { formatFieldError } from "../../api/field-error.ts";
import { parseSteeringConfig } from "./read-steering-config.ts";

const head = "apiVersion: trimtab.dev/v1alpha1\nkind: SteeringConfiguration\n";

function problemsIn(text: string): readonly string[] {
  const parsed = parseSteeringConfig(text, "home");
  return parsed.ok ? [] : parsed.errors.map(formatFieldError);
}

describe("a SteeringConfiguration", () => {
  test("needs little", () => {
    expect(parseSteeringConfig(`${head}webhook: { service: { name: steer } }`, "home")).toEqual({
      ok: true,
      config: {
        name: "trimtab-steer",
        namespace: "home",
        address: { kind: "service", namespace: "home", name: "steer", port: 443 },
        port: 9443,
        timeoutSeconds: 10,
        certificate: { kind: "secret", namespace: "home", name: "trimtab-steer-certificate" },
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
      "home",
    );
    expect(parsed).toMatchObject({
      config: {
        address: { kind: "url", url: "https://127.0.0.1:9443" },
        certificate: { kind: "files", certificate: "a.crt", key: "a.key" },
        spread: [{ name: "zones", constraints: [{ maxSkew: 1, topologyKey: "zone" }] }],
      },
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
      "webook: Forbidden: unknown field",
      'webhook.timeoutSeconds: Invalid value: "soon": must be a whole number of 32 bits',
      'apiVersion: Unsupported value: "": supported values: "trimtab.dev/v1alpha1"',
      'kind: Unsupported value: "Steering": supported values: "SteeringConfiguration"',
      expect.stringMatching(/^name: Invalid value: "Not A Name": /),
      'webhook.url: Invalid value: "http://127.0.0.1/path": must be https',
      'webhook.bind: Invalid value: "everywhere": must be an IP address, such as 0.0.0.0 or ::',
      "webhook.port: Invalid value: 70000: must be between 0 and 65535",
      "webhook.certificate: Forbidden: may not specify both secret and files",
      "defaultSpread[0].name: Required value",
      "defaultSpread[0].namespaceSelector: Required value: an empty one selects every namespace",
      expect.stringContaining("defaultSpread[0].podTopologySpreadArgs.defaultingType: Invalid value"),
      expect.stringContaining("defaultConstraints[0].maxSkew: Invalid value: 0"),
      expect.stringContaining("defaultConstraints[0].topologyKey: Required value"),
      expect.stringContaining("defaultConstraints[0].whenUnsatisfiable: Required value"),
    ]);
  });

  test.each([
    ["", "the file: Invalid value: holds no object"],
    [`${head}webhook: {}`, "webhook: Required value: must specify one of: service, url"],
    [
      `${head}webhook: { url: "https://a:1", service: { name: a } }`,
      "webhook: Forbidden: may not specify both",
    ],
    [`${head}webhook: { service: {} }`, "webhook.service.name: Required value"],
    [`${head}webhook: { url: nowhere }`, "webhook.url: Invalid value"],
    [`${head}webhook: { url: "https://a:1/path" }`, "must have a host and a port, and nothing else"],
  ])("%j is refused", (text, sentence) => {
    expect(problemsIn(text).join("\n")).toContain(sentence);
  });
});
