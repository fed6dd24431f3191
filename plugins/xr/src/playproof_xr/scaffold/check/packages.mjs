// What an import map names at a content network is given from check/packages/, as it is when the app is run: there is no network. The
// pinned version is given, whatever version the address asks for.
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";

const NETWORKS = new RegExp(
  "^https?://(?:cdn\\.jsdelivr\\.net/npm/|(?:www\\.)?unpkg\\.com/|esm\\.sh/(?:v\\d+/|stable/)?|cdn\\.skypack\\.dev/(?:pin/)?|esm\\.run/|" +
  "(?:ga\\.)?jspm\\.io/npm:)(?<name>(?:@[^/@?#]+/)?[^/@?#]+)(?:@[^/?#]*)?(?<path>/[^?#]*)?");
/** XR Blocks is also given out from a branch that holds its `build` folder alone. */
const BRANCH = /^https?:\/\/cdn\.jsdelivr\.net\/gh\/[^/@?#]+\/(?<name>xrblocks)@build(?<path>\/[^?#]*)?/;

const isFile = (place) => statSync(place, { throwIfNoEntry: false })?.isFile() ?? false;

/** The main entry of a manifest's `exports` for a browser's module loader. */
function exported(exports) {
  if (typeof exports === "string") return exports;
  if (exports === null || typeof exports !== "object") return null;
  for (const condition of [".", "browser", "module", "import", "default"]) {
    const found = exported(exports[condition]);
    if (found) return found;
  }
  return null;
}

/** The file of a package below `modules` that an address names; null where none is lent. */
export function lent(modules, address) {
  const branch = BRANCH.exec(address);
  const found = branch ?? NETWORKS.exec(address);
  if (!found) return null;
  const { name, path } = found.groups;
  const home = join(modules, name);
  if (name.startsWith(".") || !isFile(join(home, "package.json"))) return null;
  const inside = `${branch ? "build" : ""}${path ?? ""}`.replace(/\/\+esm$/, "").replace(/^\/+|\/+$/g, "");
  const manifest = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));
  const named = [inside, inside.replace(".min.", "."), `${inside}.js`, `${inside}/index.js`, `dist/${inside}`, `build/${inside}`];
  const candidates = inside ? named : [exported(manifest.exports), manifest.module, manifest.main, "index.js"];
  const place = candidates.filter((one) => typeof one === "string" && !one.split("/").includes("..")).map((one) => join(home, one)).find(isFile);
  return place ?? null;
}
