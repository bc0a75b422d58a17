export { nearestName } from "../api/nearest-name.ts";
