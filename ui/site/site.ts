import "../theme.css";
import "./site.css";
import { addMenu } from "./menu.ts";
import { addPlayground } from "./playground-frame.ts";
import { addSearch } from "./search.ts";
import { addVersions } from "./versions.ts";

const { root = "", address = "", version = "" } = document.documentElement.dataset;

addSearch(root);
addVersions({ root, address, version });
addPlayground();
addMenu();
