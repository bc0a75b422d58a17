import { expect, test } from "vitest";
import { steerWelcome } from "./steer.ts";

const urls = { webhook: "https://127.0.0.1:9443", diagnostics: "http://127.0.0.1:10281" };

test.for([
  { leftOut: ["kube-system"], says: "never steered: what is in the namespace kube-system" },
  {
    leftOut: ["kube-system", "trimtab"],
    says: "never steered: what is in the namespaces kube-system, trimtab",
  },
])("steer says which namespaces it leaves out: $leftOut", ({ leftOut, says }) => {
  expect(steerWelcome({ server: "https://api.example" }, { leftOut }, urls).split("\n")).toContain(says);
});
