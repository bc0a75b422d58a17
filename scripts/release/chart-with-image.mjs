// Writes the chart with an image, by its digest, as default: node chart-with-image.mjs IMAGE@sha256:… FOLDER
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import path from "node:path";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");
const [image = "", folder = ""] = process.argv.slice(2);

function fail(sentence) {
  console.error(`trimtab: ${sentence}`);
  process.exit(1);
}

if (!/^[a-z0-9.:/_-]+@sha256:[0-9a-f]{64}$/i.test(image))
  fail(`the image must have a digest, such as ghcr.io/o/trimtab@sha256:…, not ${JSON.stringify(image)}`);
if (folder === "") fail("the second argument must be a folder");

const chart = path.join(folder, "trimtab");
mkdirSync(folder, { recursive: true });
cpSync(path.join(root, "deploy/helm/trimtab"), chart, { recursive: true });
const file = path.join(chart, "values.yaml");
const values = readFileSync(file, "utf8");
if (!/^image: ""$/m.test(values)) fail('values.yaml has no line image: ""');
const comment = "# The image of this release, by its digest.\n";
writeFileSync(
  file,
  values.replace(/^# The image with the package[^\n]*\n(#[^\n]*\n)*image: ""$/m, `${comment}image: ${image}`),
);
console.log(chart);
