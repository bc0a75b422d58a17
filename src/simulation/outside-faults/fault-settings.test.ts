import { expect, test } from "vitest";
import { faultSettingsText, readFaultSettings } from "./fault-settings.ts";

test.for([
  { text: "7", settings: { seed: "7", profile: "gentle" } },
  { text: "7:rough", settings: { seed: "7", profile: "rough" } },
  { text: "monday:conflict+late-event", settings: { seed: "monday", profile: "conflict+late-event" } },
  {
    text: "7:rough,user=system:serviceaccount:default:web,agent=manager",
    settings: { seed: "7", profile: "rough", user: "system:serviceaccount:default:web", agent: "manager" },
  },
])("$text is read, and written again", ({ text, settings }) => {
  expect(readFaultSettings(text)).toEqual({ ok: true, settings });
  expect(readFaultSettings(faultSettingsText(settings))).toEqual({ ok: true, settings });
});

test.for([
  { text: "", problem: "a seed is missing: SEED[:PROFILE][,user=NAME][,agent=PREFIX]" },
  { text: ":rough", problem: "a seed is missing: SEED[:PROFILE][,user=NAME][,agent=PREFIX]" },
  { text: "7:ruogh", problem: 'unknown profile or fault "ruogh"; did you mean "rough"?' },
  { text: "7:conflict+conflcit", problem: 'unknown profile or fault "conflcit"; did you mean "conflict"?' },
  { text: "7:rough+conflict", problem: '"rough+conflict" names a fault twice, or a profile beside a fault' },
  {
    text: "7:conflict+conflict",
    problem: '"conflict+conflict" names a fault twice, or a profile beside a fault',
  },
  { text: "7,usr=me", problem: '"usr=me" is none of user=…, agent=…, only=…, record=…' },
  { text: "7,user=", problem: '"user=" is none of user=…, agent=…, only=…, record=…' },
])("$text is refused", ({ text, problem }) => {
  expect(readFaultSettings(text)).toEqual({ ok: false, problems: [problem] });
});
