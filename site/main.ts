import { existsSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { build, preview } from "vite";
import { packageFolder } from "../src/cli/installed-package.ts";
import { buildSite } from "./build-site.ts";

const usage = `usage: npm run site -- [--out FOLDER] [--version NAME] [--serve] [--port N]
  --out FOLDER     where versions are beside each other (default .build/docs)
  --version NAME   the folder of this one (default: the version in package.json)
  --serve          then serve it on 127.0.0.1
  --port N         at this port (default 4173)`;

const { values } = parseArgs({
  options: {
    out: { type: "string", default: ".build/docs" },
    version: { type: "string" },
    serve: { type: "boolean" },
    port: { type: "string", default: "4173" },
    help: { type: "boolean", short: "h" },
  },
});
const isName = values.version === undefined || /^[\w.-]+$/.test(values.version);
if (values.help === true || !isName || !/^\d+$/.test(values.port)) {
  console.error(usage);
  process.exit(values.help === true ? 0 : 2);
}
const root = packageFolder();
const out = path.resolve(root, values.out);
const playground = path.join(root, "dist/playground");
if (!existsSync(path.join(playground, "index.html"))) {
  console.error("trimtab: there is no playground in dist/playground: npm run build:page");
  process.exit(1);
}
const { folder, pages, dead } = buildSite({
  root,
  out,
  playground,
  ...(values.version !== undefined && { version: values.version }),
});
await build({
  configFile: path.join(root, "ui/site/vite.config.ts"),
  logLevel: "warn",
  build: { outDir: folder, emptyOutDir: false },
});
for (const each of dead) console.error(`trimtab: a link that leads nowhere: ${each}`);
console.log(`${pages} pages in ${path.relative(process.cwd(), folder)}`);
if (values.serve === true) {
  const server = await preview({
    configFile: false,
    root,
    build: { outDir: out },
    preview: { host: "127.0.0.1", port: Number(values.port) },
  });
  server.printUrls();
}
process.exitCode = dead.length > 0 ? 1 : 0;
