// One timer: loose at a hand, pinned to a surface, ringing. It goes by the clock and not by frames: nobody draws a hidden app.
import * as THREE from "three";
import { Panel } from "./panels.js";

const RADIUS = 0.055;

const bellBuffer = (context) => {
  const buffer = context.createBuffer(1, context.sampleRate, context.sampleRate), samples = buffer.getChannelData(0);
  for (let index = 0; index < samples.length; index++) {
    const t = index / context.sampleRate, beat = t % 0.5;
    samples[index] = 0.6 * Math.exp(-6 * beat) * (Math.sin(2 * Math.PI * 988 * t) + 0.5 * Math.sin(2 * Math.PI * 1976 * t));
  }
  return buffer;
};

export class Timer {
  state = "loose"; // loose, held, pinned, ringing, over
  ends = null; // milliseconds of performance.now
  place = null; // see surfaces.js

  constructor(number, dial, hand, listener) {
    Object.assign(this, { dial, hand });
    this.panel = new Panel(`timer-${number}`, 2 * RADIUS, 2 * RADIUS, { round: true, colour: dial.colour });
    this.mesh = this.panel.mesh;
    this.mesh.visible = true;
    this.bell = new THREE.PositionalAudio(listener);
    this.bell.name = `bell-${number}`;
    this.bell.setBuffer(bellBuffer(listener.context));
    this.bell.setLoop(true);
    this.bell.setRefDistance(0.5);
    this.mesh.add(this.bell);
    this.tick();
  }

  get left() {
    return this.ends === null ? this.dial.seconds : Math.max(0, (this.ends - performance.now()) / 1000);
  }

  pin(place) {
    Object.assign(this, { state: "pinned", hand: null, place, ends: performance.now() + 1000 * this.dial.seconds });
  }

  tick() {
    const whole = Math.ceil(this.left - 1e-3);
    this.panel.say(`${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`, this.dial.title);
    if (this.state !== "pinned" || this.left > 0) return;
    this.state = "ringing";
    this.bell.play();
  }

  /** Metres from a point to its disc. */
  away(point) {
    const inner = this.mesh.worldToLocal(point.clone());
    return Math.hypot(Math.max(0, Math.hypot(inner.x, inner.y) - RADIUS), inner.z);
  }

  end() {
    if (this.bell.isPlaying) this.bell.stop();
    this.state = "over";
    this.mesh.removeFromParent();
  }
}
