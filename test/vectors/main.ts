import { runFile } from "./run-file.ts";

const files = process.argv.slice(2);
if (files.length === 0) {
  console.error("usage: npm run --silent vectors -- FILE…");
  process.exit(1);
}

let passed = 0;
let failed = 0;
for (const file of files) {
  const result = runFile(file);
  for (const line of result.failures) console.log(line);
  passed += result.passed;
  failed += result.failures.length;
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
