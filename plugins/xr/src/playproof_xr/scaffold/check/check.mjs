// npm run check [page]: starts the app in a headless Chromium with an emulated headset, presses its own button into XR, pinches once with
// each hand, and says what went wrong: exceptions, errors on the console, missing files, a session that never came. Exits with 1 then.
// The picture is in check/screenshot.png. CHROMIUM=/path/to/chromium names a browser.
import { createServer } from "node:http";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { Chromium, findChromium } from "./chromium.mjs";
import { lent } from "./packages.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const root = dirname(here);
const page = process.argv[2] ?? "index.html";
const SECONDS = Number(process.env.CHECK_SECONDS ?? 4);
const TYPES = {
  ".html": "text/html", ".js": "text/javascript", ".mjs": "text/javascript", ".css": "text/css", ".json": "application/json",
  ".wasm": "application/wasm", ".png": "image/png", ".jpg": "image/jpeg", ".svg": "image/svg+xml", ".glb": "model/gltf-binary",
};
const faults = [];
const say = (text) => faults.includes(text) || faults.push(text);
const after = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const server = createServer((request, response) => {
  const path = normalize(decodeURIComponent(new URL(request.url, "http://localhost").pathname));
  const place = join(root, path);
  try {
    if (!place.startsWith(root) || !statSync(place).isFile()) throw new Error("not a file");
    response.writeHead(200, { "content-type": TYPES[extname(place)] ?? "application/octet-stream" }).end(readFileSync(place));
  } catch {
    if (path !== "/favicon.ico") say(`missing file: ${path}`);
    response.writeHead(404).end();
  }
});

const program = findChromium();
if (!program) {
  console.error("no Chromium found: install one, or name it in CHROMIUM");
  process.exit(2);
}
await new Promise((resolve) => server.listen(0, "localhost", resolve));
const origin = `http://localhost:${server.address().port}`;
const chromium = new Chromium(program);

const send = await chromium.page();
const isLocal = (url) => url.startsWith(`${origin}/`) || /^(data|blob|about):/.test(url);

/** A package that is lent stands for the one at a content network; everything else takes its way. */
function answer({ requestId, request }) {
  const place = isLocal(request.url) ? null : lent(join(here, "packages"), request.url);
  if (!place) return send("Fetch.continueRequest", { requestId });
  const responseHeaders = [{ name: "content-type", value: TYPES[extname(place)] ?? "application/octet-stream" },
    { name: "access-control-allow-origin", value: "*" }];
  return send("Fetch.fulfillRequest", { requestId, responseCode: 200, responseHeaders, body: readFileSync(place).toString("base64") });
}

chromium.on((method, params) => {
  if (method === "Fetch.requestPaused") answer(params).catch(() => {}); // the page has gone meanwhile
  if (method === "Runtime.exceptionThrown") {
    const { exception, text, lineNumber } = params.exceptionDetails;
    say(`uncaught: ${(exception?.description ?? text).split("\n").slice(0, 3).join(" ")} (line ${lineNumber + 1})`);
  }
  if (method === "Runtime.consoleAPICalled" && params.type === "error") {
    say(`console.error: ${params.args.map((one) => one.value ?? one.description ?? one.type).join(" ").slice(0, 300)}`);
  }
  if (method === "Network.requestWillBeSent" && !isLocal(params.request.url) && !lent(join(here, "packages"), params.request.url)) {
    say(`asked the network, which it will not have: ${params.request.url.slice(0, 200)}`);
  }
});
const evaluate = async (expression) => {
  const { result, exceptionDetails } = await send("Runtime.evaluate", { expression, returnByValue: true, userGesture: true });
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  return result.value;
};

const library = (name) => readFileSync(join(here, "iwer", name), "utf8");
const headset = [library("iwer.min.js"), library("iwer-sem.min.js"), `const ROOM = ${library("living_room.json")};`,
  readFileSync(join(here, "headset.js"), "utf8")].join("\n");
for (const domain of ["Page", "Runtime", "Network"]) await send(`${domain}.enable`);
await send("Fetch.enable", { patterns: [{ urlPattern: "http*" }] });
await send("Page.addScriptToEvaluateOnNewDocument", { source: headset });
await send("Page.navigate", { url: `${origin}/${page}` });

// The app's own button, pressed as a person would, until a session has begun.
const ENTER = `(() => {
  const named = [...document.querySelectorAll("button, [role=button], a")].filter((one) => one.offsetParent !== null && !one.disabled);
  const xr = named.find((one) => /\\b(xr|vr|ar|mr|immersive|headset)\\b/i.test(one.id + " " + one.textContent)) ?? named[0];
  xr?.click();
  return xr ? xr.textContent.trim() || xr.id : null;
})()`;
let pressed = null;
let told = null;
for (let turn = 0; turn < 40 && !told?.frames; turn++) {
  await after(500);
  if (turn % 4 === 1 && !told?.mode) pressed = (await evaluate(ENTER)) ?? pressed;
  told = await evaluate("window.__headset?.told");
}
if (told?.frames) {
  for (const side of ["left", "right"]) {
    await evaluate(`__headset.device.hands.${side}.updatePinchValue(1)`);
    await after(SECONDS * 250);
    await evaluate(`__headset.device.hands.${side}.updatePinchValue(0)`);
    await after(SECONDS * 250);
  }
  told = await evaluate("__headset.told");
} else if (told?.refused) {
  say(`the session was refused: ${told.refused}`);
} else {
  say(pressed ? `no session, though "${pressed}" was pressed` : "no session, and no button that leads into XR");
}
const { data } = await send("Page.captureScreenshot", { format: "png" });
writeFileSync(join(here, "screenshot.png"), Buffer.from(data, "base64"));
await chromium.close();
server.close();

console.log(told?.frames ? `${told.mode}: ${told.frames} frames, ${told.inputs} hands; picture: check/screenshot.png` : "not in XR");
for (const fault of faults) console.log(`  ! ${fault}`);
console.log(faults.length ? `${faults.length} to mend` : "starts, and nothing went wrong; whether it does what the brief asks is another matter");
process.exit(faults.length ? 1 : 0);
