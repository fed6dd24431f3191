// A headless Chromium that is spoken to through its debugging pipe (messages of JSON, each ended by a zero byte). Nothing to install.
import { spawn } from "node:child_process";
import { accessSync, constants, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const FLAGS = [
  "--headless=new", "--remote-debugging-pipe", "--no-first-run", "--disable-background-networking", "--disable-sync", "--mute-audio",
  "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist", "--window-size=640,480",
];

export function findChromium() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  for (const folder of (process.env.PATH ?? "").split(delimiter)) {
    for (const name of NAMES) {
      try {
        accessSync(join(folder, name), constants.X_OK);
        return join(folder, name);
      } catch { /* not here */ }
    }
  }
  return null;
}

export class Chromium {
  #waiting = new Map();
  #heard = [];
  #next = 1;
  #rest = "";

  constructor(program) {
    this.profile = mkdtempSync(join(tmpdir(), "check-"));
    const sandbox = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
    this.process = spawn(program, [...FLAGS, ...sandbox, `--user-data-dir=${this.profile}`, "about:blank"], {
      stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"],
    });
    this.ended = new Promise((resolve) => this.process.once("exit", resolve));
    this.process.stdio[4].setEncoding("utf8").on("data", (text) => this.#take(text));
  }

  #take(text) {
    const messages = (this.#rest + text).split("\0");
    this.#rest = messages.pop();
    for (const told of messages.map((one) => JSON.parse(one))) {
      const asked = this.#waiting.get(told.id);
      this.#waiting.delete(told.id);
      if (asked) told.error ? asked.reject(new Error(told.error.message)) : asked.resolve(told.result);
      else for (const hear of this.#heard) hear(told.method, told.params);
    }
  }

  on(hear) {
    this.#heard.push(hear);
  }

  send(method, params = {}, sessionId = undefined) {
    const id = this.#next++;
    this.process.stdio[3].write(JSON.stringify({ id, method, params, sessionId }) + "\0");
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
  }

  /** A page of its own: `send` for it. */
  async page() {
    const { targetId } = await this.send("Target.createTarget", { url: "about:blank" });
    const { sessionId } = await this.send("Target.attachToTarget", { targetId, flatten: true });
    return (method, params) => this.send(method, params, sessionId);
  }

  async close() {
    this.process.kill("SIGKILL");
    await this.ended;
    rmSync(this.profile, { recursive: true, force: true, maxRetries: 3 });
  }
}
